import campaign from '#server/testing/campaign.ts'
import { logout } from '#contract/accounts/sessions.ts'
import { reachProof, startClaim } from '../steps/airdrop-steps.ts'
import { hold } from '../support/held-calls.ts'
import { fakeOtherSites } from '../support/other-sites.ts'
import { expect, test } from '../support/product.ts'

test('invites a visitor to register', async ({ page }) => {
  await page.goto('/airdrop')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(campaign.name)
  await expect(page.locator('main')).toContainText(/first come, first served/i)
  await expect(page.locator('main')).toContainText(/limited/i)
  await expect(page.getByRole('button', { name: /^(Claim Now|Already Claimed)$/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Register Now' }).click()
  await expect(page).toHaveURL('/register')
})

test('offers nothing until the account is loaded', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  const call = await hold(page, /\/api\/v1\/users\/profile/)
  await page.goto('/airdrop')
  await expect(page.getByRole('status', { name: 'Loading your account' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Claim Now' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Register Now' })).toHaveCount(0)
  call.release()
  await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
})

test('offers no second claim after a claim', async ({ page, product }) => {
  await product.storeSession(page, await product.newClaimant())
  await page.goto('/airdrop')
  await expect(page.getByRole('heading', { name: 'You’ve claimed your slot' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Already Claimed' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Claim Now' })).toHaveCount(0)
  await page.getByRole('link', { name: 'See your claim' }).click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('shows an error and the visitor’s view when the session has ended', async ({ page, product }) => {
  const participant = await product.newParticipant()
  await product.call(logout, { token: participant.token })
  await product.storeSession(page, participant)
  await page.goto('/airdrop')
  await expect(page.getByText('Failed to fetch profile. Please login again.')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Register Now' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Claim Now' })).toHaveCount(0)
})

test('shows an error and the visitor’s view when the profile call fails', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await page.route(/\/api\/v1\/users\/profile/, (route) => route.abort())
  await page.goto('/airdrop')
  await expect(page.getByText('Failed to fetch profile. Please login again.')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Register Now' })).toBeVisible()
})

test('each task opens in a new tab and counts 5,000 pending points in both currencies', async ({
  page,
  product,
}) => {
  await fakeOtherSites(page.context(), product)
  await product.storeSession(page, await product.newParticipant())
  await startClaim(page)
  const tasks = page.locator('button[data-done]')
  const points = page.locator('main dl > div')
  await expect(points.locator('dt')).toHaveText(['PF Points', 'PLS Points'])
  const [project, founder, post, group] = campaign.airdrop.tasks
  await expect(tasks.nth(0)).toContainText(project?.title ?? '')
  await expect(tasks.nth(1)).toContainText(founder?.title ?? '')
  await expect(tasks.nth(2)).toContainText(/like, retweet and comment/i)
  for (const hashtag of post?.hashtags ?? ['#none']) await expect(tasks.nth(2)).toContainText(hashtag)
  await expect(tasks.nth(3)).toContainText(group?.title ?? '')

  for (const [index, task] of campaign.airdrop.tasks.entries()) {
    await expect(tasks.nth(index)).toHaveAttribute('data-done', 'false')
    await expect(points.locator('dd')).toHaveText(
      Array(2).fill(`${index === 0 ? 0 : `${index * 5},000`}pending`),
    )
    await expect(page.getByRole('button', { name: 'Complete All Tasks to Continue' })).toBeDisabled()
    const arrival = page.waitForEvent('popup')
    await tasks.nth(index).click()
    const tab = await arrival
    await expect(tab).toHaveURL(task.url)
    expect(await tab.evaluate(() => window.opener === null)).toBe(true)
    await tab.close()
    await expect(tasks.nth(index)).toHaveAttribute('data-done', 'true')
  }
  await expect(points.locator('dd')).toHaveText(['20,000pending', '20,000pending'])
  await expect(page.getByRole('button', { name: 'All Tasks Done — Continue' })).toBeEnabled()
})

test('counts a task once even if it is opened repeatedly', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await startClaim(page)
  for (let time = 0; time < 4; time += 1) {
    const opened = page.waitForEvent('popup')
    await page.locator('button[data-done]').first().click()
    await (await opened).close()
  }
  await expect(page.locator('main dl dd').first()).toHaveText('5,000pending')
  await expect(page.getByRole('button', { name: 'Complete All Tasks to Continue' })).toBeDisabled()
})

test('the round Back button goes from proof to tasks to start', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  await reachProof(page)
  const back = page.getByRole('button', { name: 'Back', exact: true })
  const { width, height } = (await back.boundingBox()) ?? { width: 0, height: 1 }
  expect(width).toBe(height)
  const radius = await back.evaluate((element) => Number.parseFloat(getComputedStyle(element).borderRadius))
  expect(radius).toBeGreaterThanOrEqual(width / 2)

  await back.click()
  await expect(page.locator('button[data-done="true"]')).toHaveCount(4)
  await back.click()
  await expect(page.getByRole('button', { name: 'Claim Now' })).toBeVisible()
  await expect(back).toHaveCount(0)
  await page.getByRole('button', { name: 'Claim Now' }).click()
  await expect(page.getByRole('button', { name: 'All Tasks Done — Continue' })).toBeEnabled()
})
