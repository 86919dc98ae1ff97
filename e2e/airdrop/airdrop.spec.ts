import { type Campaign, campaign as readCampaign } from '#contract/campaign.ts'
import campaign from '#server/testing/campaign.ts'
import { logout } from '#contract/accounts/sessions.ts'
import type { ownClaim } from '#contract/claims/claims.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { continueToProof, fillProof, reachProof, startClaim, submitProof } from '../steps/airdrop-steps.ts'
import { reject } from '../steps/dashboard-steps.ts'
import { changeReplies, fakeOtherSites, hold } from '../support/intercept.ts'
import { newProof } from '../support/people.ts'
import type { Page } from '@playwright/test'
import { expect, type Product, test } from '../support/product.ts'

test('visitors, and participants whose account cannot be loaded, are asked to register', async ({
  page,
  product,
}) => {
  const register = page.getByRole('link', { name: 'Register Now' })
  const claimNow = page.getByRole('button', { name: 'Claim Now' })
  const participant = await product.newParticipant()

  await test.step('a visitor', async () => {
    await page.goto('/airdrop')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(campaign.name)
    await expect(page.locator('main').getByText('first come, first served')).toHaveCount(1)
    await expect(page.locator('main')).toContainText(/limited/i)
    await expect(register).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Claim Now|Already Claimed)$/ })).toHaveCount(0)
    await register.click()
    await expect(page).toHaveURL('/register')
  })

  await test.step('a participant whose account is still loading is asked nothing', async () => {
    await product.storeSession(page, participant)
    const call = await hold(page, /\/api\/v1\/users\/profile/)
    await page.goto('/airdrop')
    await expect(page.getByRole('status', { name: 'Loading your account' })).toBeVisible()
    await expect(claimNow).toHaveCount(0)
    await expect(register).toHaveCount(0)
    call.release()
    await expect(claimNow).toBeEnabled()
  })

  const expectVisitorsView = async () => {
    await page.goto('/airdrop')
    await expect(page.getByText('Failed to fetch profile. Please login again.')).toHaveCount(1)
    await expect(register).toBeVisible()
    await expect(claimNow).toHaveCount(0)
  }
  await test.step('a participant whose profile cannot be fetched', async () => {
    await page.route(/\/api\/v1\/users\/profile/, (route) => route.abort())
    await expectVisitorsView()
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('a participant whose session has ended', async () => {
    await product.call(logout, { token: participant.token })
    await expectVisitorsView()
  })
})

test('each task opens in a new tab and counts once', async ({ page, product }) => {
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
  // A task without hashtags would fail the test.
  for (const hashtag of post?.hashtags ?? ['#none']) await expect(tasks.nth(2)).toContainText(hashtag)
  await expect(tasks.nth(3)).toContainText(group?.title ?? '')

  const expectBeforeOpening = async (index: number, doneBefore: number) => {
    await expect(tasks.nth(index)).toHaveAttribute('data-done', String(index < doneBefore))
    const pending = `${(doneBefore * campaign.airdrop.pointsPerTask).toLocaleString('en')}pending`
    await expect(points.locator('dd')).toHaveText([pending, pending])
    await expect(page.getByRole('button', { name: 'Complete All Tasks to Continue' })).toBeDisabled()
  }
  await expectBeforeOpening(0, 0)
  const opened = page.waitForEvent('popup')
  await tasks.first().click()
  const tab = await opened
  await expect(tab).toHaveURL(project?.url ?? '')
  expect(await tab.evaluate(() => window.opener === null)).toBe(true)
  await tab.close()

  // Prevents four more tabs, which would take most of the time.
  const laterCalls = await page.evaluateHandle(() => {
    const calls: unknown[][] = []
    window.open = (...call) => {
      calls.push(call)
      return null
    }
    return calls
  })
  // Opens the first task again: it counts only once.
  for (const [index, doneBefore] of [
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 3],
  ] as const) {
    await expectBeforeOpening(index, doneBefore)
    await tasks.nth(index).click()
    await expect(tasks.nth(index)).toHaveAttribute('data-done', 'true')
  }
  expect(await laterCalls.jsonValue()).toEqual(
    campaign.airdrop.tasks.map(({ url }) => [url, '_blank', 'noopener,noreferrer']),
  )
  await expect(points.locator('dd')).toHaveText(['20,000pending', '20,000pending'])

  await test.step('the round Back button goes from proof to tasks to start', async () => {
    await continueToProof(page)
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
})

const LONG_AGO = '2026-02-01T12:00:00Z'
const FAR_AHEAD = '2999-01-31T12:00:00Z'

/** Changes what the campaign's API says to the page. */
async function fakeCampaign(page: Page, { callOrFail }: Product, changes: Partial<Campaign>) {
  const { data } = await callOrFail(readCampaign)
  await page.route('**/api/v1/campaign', (route) =>
    route.fulfill({ json: { data: { ...data, ...changes } } }),
  )
}

test('before and after the campaign, the airdrop offers no claim', async ({ page, product }) => {
  const main = page.getByRole('main')
  const leaderboardLink = main.getByRole('link', { name: 'See the leaderboard' })
  const closedHeading = main.getByRole('heading', { name: 'The airdrop is closed' })
  const openBeforeCampaign = async () => {
    await fakeCampaign(page, product, { opensAt: FAR_AHEAD, open: false, stage: 'before' })
    await page.goto('/airdrop')
  }
  const openAfterCampaign = async () => {
    await fakeCampaign(page, product, { closesAt: LONG_AGO, open: false, stage: 'paying' })
    await page.goto('/airdrop')
  }

  await test.step('visitors may register before the campaign opens, and see the leaderboard after it has closed', async () => {
    await openBeforeCampaign()
    await expect(page.getByText('Not open yet')).toBeVisible()
    await expect(page.locator(`time[datetime="${FAR_AHEAD}"]`)).toContainText('2999')
    await expect(page.getByRole('link', { name: 'Register Now' })).toBeVisible()
    await openAfterCampaign()
    await expect(main.getByText('Closed', { exact: true })).toBeVisible()
    await expect(page.locator(`time[datetime="${LONG_AGO}"]`)).toContainText('2026')
    await expect(leaderboardLink).toBeVisible()
    await expect(main.getByRole('link', { name: 'Register Now' })).toHaveCount(0)
  })

  await test.step('participants cannot claim', async () => {
    await product.storeSession(page, await product.newParticipant())
    await openBeforeCampaign()
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeDisabled()
    await openAfterCampaign()
    await expect(leaderboardLink).toBeVisible()
    await expect(page.getByRole('button', { name: 'Claim Now' })).toHaveCount(0)
  })

  await test.step('a form that is open when the campaign closes gives way to the results', async () => {
    await page.unrouteAll({ behavior: 'wait' })
    await reachProof(page)
    await fillProof(page, newProof())
    const refusal = { message: 'The airdrop is closed.', code: 'campaign_closed' }
    await page.route('**/api/v1/tasks', async (route) => {
      // Closes the campaign only now: if the page had polled it before, the form would be gone.
      await fakeCampaign(page, product, { closesAt: LONG_AGO, open: false, stage: 'paying' })
      await route.fulfill({ status: 409, json: refusal })
    })
    await submitProof(page)
    await expect(page.getByText(refusal.message)).toBeVisible()
    await expect(closedHeading).toBeInViewport()
    await expect(page.getByLabel('Wallet Address')).toHaveCount(0)
  })

  await test.step('a rejected claim that has lost its slot cannot be corrected', async () => {
    const claimant = await product.newClaimant()
    await reject(product, claimant)
    await product.storeSession(page, claimant)
    await changeReplies(page, '**/api/v1/tasks/mine', ({ data }: ReplyOf<typeof ownClaim>) => ({
      data: { ...data, slot: null },
    }))
    await page.goto('/profile')
    await expect(page.getByText('The airdrop is closed, so it can’t be corrected any more.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Correct and resubmit' })).toHaveCount(0)
    await page.goto('/airdrop?step=proof')
    await expect(closedHeading).toBeVisible()
  })
})
