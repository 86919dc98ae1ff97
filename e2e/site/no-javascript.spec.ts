import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { PHONE } from '../checks/axe.ts'
import { expect, test } from '../support/product.ts'

test.use({ javaScriptEnabled: false })

async function expectReadable(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const characters = async () => (await page.locator('main').innerText()).length
  await expect.poll(characters, page.url()).toBeGreaterThan(300)
  await expect(page.locator('footer')).toContainText(campaign.texts.risk)
  // Controls that need scripts are hidden.
  await expect(page.getByRole('button', { name: /^(Copy|Share|Search)/ })).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Theme' })).toBeHidden()
}

test('without scripts, pages are readable and say what needs scripts', async ({ page }) => {
  await test.step('pages are readable', async () => {
    for (const path of ['/about', '/tokenomics', '/roadmap', '/journal', '/api/docs']) {
      await page.goto(path)
      await expectReadable(page)
    }
    // The archive has little to read before an airdrop has ended.
    await page.goto('/archive')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  await test.step('the contents of rules and privacy link to the clauses', async () => {
    for (const [path, title] of Object.entries({ '/rules': 'Rules', '/privacy': 'Privacy and terms' })) {
      await page.goto(path)
      await expectReadable(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
      const clauses = page.getByRole('main').getByRole('heading', { level: 2 })
      expect(await clauses.allTextContents()).toEqual(
        (await contents.allTextContents()).map((text) => text.replace(/^\d+/, '')),
      )
      await contents.last().click()
      await expect(clauses.last()).toBeInViewport()
    }
    await expect(page.getByText('We use up to four cookies'), 'on /privacy, the last page').toBeVisible()
  })

  await test.step('How to Buy shows steps, details, QR code and links, but no button that needs scripts', async () => {
    await page.locator('header').getByRole('link', { name: 'How to Buy' }).click()
    await expect(page).toHaveURL('/howtobuy')
    await expectReadable(page)
    await expect(page.locator('main ol h2')).toHaveCount(4)
    await expect(page.getByRole('region', { name: 'Network details' })).toContainText(campaign.chain.rpcUrl)
    const box = page.getByRole('region', { name: 'Contract address' })
    await expect(box.getByText(campaign.token.contract, { exact: true })).toBeVisible()
    await expect(box.getByRole('img', { name: 'QR code of the contract address' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Buy on a DEX' })).toBeVisible()
    await expect(page.locator('main button:enabled').filter({ visible: true })).toHaveCount(0)
    await expect(page.getByText('Your wallet will ask you')).toBeHidden()
  })

  await test.step('Home has no price, and Learn More leads to the description of the token', async () => {
    await page.locator('header').getByRole('link', { name: 'Home', exact: true }).click()
    const price = page.locator('#hero .stat-card').filter({ hasText: 'Price' }).locator('dd')
    // Waits for the page. Text that a script would replace is present but hidden.
    await expect(price).toHaveText('N/A', { useInnerText: true })
    await expectReadable(page)
    await page.getByRole('link', { name: 'Learn More' }).click()
    await expect(page.locator('#about').getByRole('heading', { level: 2 })).toBeInViewport()
  })

  await test.step('the pages that check allocation and claims say what works without scripts', async () => {
    await page.goto('/allocation')
    await expect(page.locator('noscript p')).toBeVisible()
    await expect(page.locator('noscript code')).toHaveText('/api/v1/allocation')
    await expect(page.locator('.allocation-states'), 'no height reserved').toHaveCSS('min-height', '0px')
    await page.goto('/check')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Ask the chain' })).toBeHidden()
  })

  await test.step('the documentation leads from page to page', async () => {
    await page.goto('/docs')
    await expectReadable(page)
    await page.getByRole('link', { name: 'A first evening' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'A first evening' })).toBeVisible()
    await expectReadable(page)
    await page.getByRole('link', { name: /^Next/ }).click()
    await expect(page).toHaveURL('/docs/on-one-small-server')
    await page.getByRole('link', { name: /^Previous/ }).click()
    await expect(page).toHaveURL('/docs/first-evening')
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('link', { name: 'Webhooks and widgets' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Webhooks and widgets')
  })

  await test.step('a screen without a menu says that it needs scripts, and leads to Home', async () => {
    await page.goto('/register')
    await page
      .getByText(/^This part of the site needs JavaScript\./)
      .getByRole('link')
      .click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  await test.step('on a phone, a screen says that it needs scripts, and the menu works on a page and a screen', async () => {
    for (const start of ['/', '/airdrop']) {
      await page.goto(start)
      const menu = page.getByRole('dialog', { name: 'Menu' })
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(menu).toBeVisible()
      await menu.getByRole('button', { name: 'Close menu' }).click()
      await expect(menu).toBeHidden()
      await expect(page.getByText(/^This part of the site needs JavaScript\./)).toHaveCount(
        start === '/airdrop' ? 1 : 0,
      )
      await page.getByRole('button', { name: 'Open menu' }).click()
      await menu.getByRole('link', { name: 'Tokenomics' }).click()
      await expect(page).toHaveURL('/tokenomics')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden()
    }
  })
})
