import campaign from '#server/testing/campaign.ts'
import { ROUTES, routeText } from '#web/routes.ts'
import { recordDialogs } from '../support/alerts.ts'
import { copied } from '../support/clipboard.ts'
import { waitForStream } from '../checks/every-route.ts'
import { expect, test } from '../support/product.ts'

const { contract } = campaign.token

test('navigation inside the application updates the head', async ({ page, product }) => {
  await page.goto('/airdrop')
  await page.getByRole('link', { name: 'Register Now' }).click()
  await expect(page).toHaveTitle(routeText(ROUTES.register.title, campaign.token))
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', `${product.url}/register`)
  await expect(page.locator('h1')).toHaveText('Create Account')
})

test('About asks the same question and names the channels', async ({ page }) => {
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`What is ${campaign.token.name}?`)
  await expect(page.locator('main')).toContainText(campaign.texts.about)
  for (const { title, text } of campaign.texts.features) {
    await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeVisible()
    await expect(page.locator('main')).toContainText(text)
  }
  for (const address of Object.values(campaign.token.socials)) {
    const link = page.locator(`main a[href="${address}"]`)
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', /noopener/)
  }
})

test('Tokenomics states the supply and five facts', async ({ page }) => {
  await page.goto('/tokenomics')
  await expect(page.locator('main dl').first()).toContainText('Total supply')
  await expect(page.locator('main dl').first()).toContainText('1,000,000,000')
  const facts = page.locator('main ol > li')
  await expect(facts).toHaveCount(5)
  for (const [index, words] of [
    [/burned liquidity/i],
    [/renounced contract/i],
    [/community driven/i, /no presale/i, /no pre-mine/i],
    [/native to PulseChain/i],
    [/transparent/i, /zero taxes/i],
  ].entries())
    for (const word of words) await expect(facts.nth(index)).toContainText(word)
})

test('How to Buy: four steps, the contract, both links, the network', async ({ page }) => {
  await page.goto('/howtobuy')
  await expect(page.locator('main ol h2')).toHaveText([
    'Create a wallet',
    'Add PulseChain',
    'Get PLS',
    `Swap PLS for ${campaign.token.symbol}`,
  ])
  await expect(page.locator('main')).toContainText(/zero/i)
  await expect(page.locator('main')).toContainText(/no slippage/i)
  const box = page.getByRole('region', { name: 'Contract address' })
  await expect(box).toContainText(contract)
  await expect(box).toContainText('Placeholder')
  for (const [name, href] of [
    ['Buy on a DEX', campaign.links.swap.replace('{contract}', contract)],
    ['View Live Chart', campaign.links.chart.replace('{contract}', contract)],
  ] as const) {
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', href)
    await expect(page.getByRole('link', { name })).toHaveAttribute('target', '_blank')
    await expect(page.getByRole('link', { name })).toHaveAttribute('rel', /noopener/)
  }
  const network = page.getByRole('region', { name: 'Network details' })
  for (const [fact, value] of [
    ['Network name', 'PulseChain'],
    ['Chain ID', '369'],
    ['Currency symbol', 'PLS'],
    ['RPC URL', campaign.chain.rpcUrl],
    ['Block explorer', campaign.chain.explorerUrl],
  ] as const)
    await expect(network.locator('dl > div').filter({ hasText: fact })).toContainText(value)
  await expect(page.locator('main')).toContainText(campaign.texts.risk)
})

test('Copy Address copies, raises a browser alert and shows Copied! for two seconds', async ({ page }) => {
  await page.clock.install()
  const following = waitForStream(page)
  await page.goto('/howtobuy')
  const button = page.getByRole('button', { name: /^(Copy Address|Copied!)$/ })
  await expect(button).toHaveText('Copy Address')
  // Hydrated, so that the clock may be paused from here on.
  await button.focus()
  await following
  await page.clock.pauseAt(Date.now() + 30_000)

  const raised = recordDialogs(page)
  await button.click()
  await expect.poll(() => raised).toEqual(['alert: Contract address copied!'])
  await expect(button).toHaveText('Copied!')
  expect(await copied(page)).toBe(contract)
  await page.clock.runFor(1_900)
  await expect(button).toHaveText('Copied!')
  await page.clock.runFor(200)
  await expect(button).toHaveText('Copy Address')
})

test('the roadmap has five phases, each stamped with its status', async ({ page }) => {
  await page.goto('/roadmap')
  const phases = page.locator('main ol > li')
  await expect(phases).toHaveCount(5)
  for (const [index, [phase, status, badge]] of [
    ['Meme Launch', 'completed', 'Completed'],
    ['Community Expansion', 'in-progress', 'In Progress'],
    ['Pulse Takeover', 'upcoming', 'Upcoming'],
    ['Ecosystem Expansion', 'upcoming', 'Upcoming'],
    ['The Future', 'upcoming', 'Upcoming'],
  ].entries()) {
    await expect(phases.nth(index)).toHaveAttribute('data-status', status ?? '')
    await expect(phases.nth(index).getByRole('heading', { level: 2 })).toHaveText(phase ?? '')
    await expect(phases.nth(index).getByText(badge ?? '', { exact: true })).toBeVisible()
  }
})

test('labels the contract as a placeholder wherever it is shown', async ({ page }) => {
  for (const path of ['/', '/howtobuy']) {
    await page.goto(path)
    await expect(page.locator('main')).toContainText('The contract address is a placeholder.')
  }
})

test('an unknown path returns 404 with a link home', async ({ page }) => {
  const response = await page.goto('/presale')
  expect(response?.status()).toBe(404)
  await expect(page.locator('h1')).toHaveCount(1)
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})
