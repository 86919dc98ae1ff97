import type { Page } from '@playwright/test'
import { changeRole } from '#contract/dashboard/person.ts'
import type { User } from '#contract/entities.ts'
import { copied, denyClipboard, returnToTab } from '../steps/page-steps.ts'
import { recordConsoleErrors } from '../support/page-messages.ts'
import { changeReplies, holdAnswer } from '../support/intercept.ts'
import { expect, test } from '../support/product.ts'
import { waitUntilIdle } from '../support/wait-until.ts'

const detail = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.locator('dt', { hasText: name }) }).locator('dd')

test('the profile shows participants their account, and visitors the login', async ({ page, product }) => {
  const person = await product.newParticipant()

  await test.step('leads to the login without a session', async () => {
    await page.goto('/profile')
    await expect(page.getByText('Please login to access your profile.')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('shows tiles, ‘Not Submitted’ and a link to the airdrop', async () => {
    await product.openAs(page, person, '/profile')
    await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible()
    for (const tile of ['PF Points', 'PLS Points', 'Referral Reward', 'Total Points'])
      await expect(page.locator('dl > div', { hasText: tile }).locator('dd')).toHaveText('0')
    await expect(page.getByText(person.username, { exact: true })).toBeVisible()
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(detail(page, 'Task Status')).toHaveText('Not Submitted')
    await expect(detail(page, 'Leaderboard rank')).toHaveText(/^[0-9]+$/)
    await expect(page.locator('main a[href="/airdrop"]')).toBeVisible()
    await expect(page.locator('main a[href="/leaderboard"]')).toHaveCount(0)
  })

  const copyButton = page.getByRole('button', { name: person.user.referralCode })
  const confirmation = page.getByText('Referral code copied to clipboard!')
  await test.step('copies the referral code', async () => {
    await copyButton.click()
    await expect(confirmation).toBeVisible()
    expect(await copied(page)).toBe(person.user.referralCode)
  })

  await test.step('a copy that the browser refuses is only logged', async () => {
    await denyClipboard(page)
    const logged = recordConsoleErrors(page)
    await page.reload()
    await copyButton.click()
    await expect.poll(() => logged.join()).toContain('Copy failed')
    await expect(confirmation).toHaveCount(0)
  })

  await test.step('a drag from the dialog to the backdrop leaves the dialog open, and a click on the backdrop closes it', async () => {
    await page.getByRole('button', { name: 'Change password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    const field = dialog.getByLabel('New Password')
    await field.fill('lantern gravel')
    await field.hover()
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    await expect(field).toHaveValue('lantern gravel')
    await page.mouse.click(5, 5)
    await expect(dialog).toBeHidden()
  })

  await test.step('an answer that is older than a change does not undo it', async () => {
    const choice = page.getByRole('checkbox', { name: /Email me announcements/ })
    await expect(choice).not.toBeChecked()
    const oldAnswer = await holdAnswer(page, '**/users/announcements')
    await returnToTab(page)
    await oldAnswer.read
    await choice.click()
    await expect(page.getByText('We’ll email you announcements.')).toBeVisible()
    const delivered = page.waitForResponse(
      (response) => response.url().endsWith('/users/announcements') && response.request().method() === 'GET',
    )
    oldAnswer.release()
    await (await delivered).finished()
    // An idle page has processed the answer.
    await waitUntilIdle(page)
    await expect(choice).toBeChecked()
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('there is no claim to edit, even at the proof step’s address', async () => {
    await expect(page.getByRole('region', { name: 'Your claim' })).toHaveCount(0)
    await page.goto('/airdrop?step=proof')
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
  })
})

test('a section of the profile is hidden until those above it are there, and so never moves', async ({
  page,
  product,
}) => {
  await product.storeSession(page, await product.newClaimant())
  const claim = await holdAnswer(page, '**/api/v1/tasks/mine')
  const otherAnswers = ['users/me', 'users/announcements', 'users/sessions'].map((path) =>
    page.waitForResponse(`**/api/v1/${path}`).then((response) => response.finished()),
  )
  await page.goto('/profile')
  await Promise.all([claim.read, ...otherAnswers])
  await waitUntilIdle(page)
  const choice = page.getByRole('checkbox', { name: /Email me announcements/ })
  const download = page.getByRole('button', { name: 'Download your data' })
  await expect(choice).toBeHidden()
  await expect(download).toBeHidden()
  claim.release()
  await expect(choice).toBeVisible()
  await expect(download).toBeVisible()
})

test('parts of the profile that fail to load say so, and can be loaded again', async ({ page, product }) => {
  const failClaimCalls = () =>
    page.route('**/api/v1/tasks/mine', (route) => route.fulfill({ status: 500, body: '' }))
  await product.storeSession(page, await product.newClaimant())
  await showUnchecked(page)
  await page.route('**/api/v1/{users/me,users/campaigns,users/announcements}', (route) => route.abort())
  await failClaimCalls()
  await page.goto('/profile')
  const failures = page.getByText('We couldn’t load this part of the page.')
  const region = (name: string) => page.getByRole('region', { name })

  await test.step('four parts say that they could not be loaded', async () => {
    await expect(failures).toHaveCount(4)
    for (const name of ['Your claim', 'Your data', 'Earlier airdrops'])
      await expect(region(name).getByRole('alert')).toBeVisible()
    // The fourth is the choice of announcements, which is not a region.
    await expect(page.getByRole('alert')).toHaveCount(4)
  })

  await test.step('the account shows a claim that has not been checked', async () => {
    await expect(detail(page, 'Task Status')).toHaveText('Submitted')
    await expect(page.locator('main a[href="/leaderboard"]')).toBeVisible()
    await expect(page.locator('main a[href="/airdrop"]')).toHaveCount(0)
  })

  await test.step('the parts load again, one by one', async () => {
    await page.unrouteAll({ behavior: 'wait' })
    await region('Your claim').getByRole('button', { name: 'Try again' }).click()
    await expect(region('Your claim')).toContainText('Received')
    await region('Your data').getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: 'Download your data' })).toBeVisible()
    await region('Earlier airdrops').getByRole('button', { name: 'Try again' }).click()
    await expect(region('Earlier airdrops')).toHaveCount(0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('checkbox', { name: /Email me announcements/ })).toBeVisible()
    await expect(failures).toHaveCount(0)
  })

  await test.step('the airdrop starts without knowing whether there is a claim', async () => {
    await failClaimCalls()
    await product.openAs(page, await product.newParticipant(), '/airdrop')
    await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
  })
})

/** Shows the claim as if the automatic checks, which take only a second, had not ended. */
const showUnchecked = (page: Page) =>
  changeReplies(page, '**/users/profile', ({ data }: { data: User }) => ({
    data: { ...data, taskId: data.taskId && { ...data.taskId, underReview: false } },
  }))

test('an offer to become an administrator is the first section of the profile', async ({ page, product }) => {
  const ann = await product.newParticipant()
  const { token } = await product.admin()
  const params = { userId: ann.user._id }
  await product.callOrFail(changeRole, { token, params, body: { role: 'admin' } })
  await product.openAs(page, ann, '/profile')
  await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible()
  const offer = page.getByRole('heading', { name: 'You’ve been invited to become an administrator' })
  await expect(offer).toBeVisible()
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(
    'You’ve been invited to become an administrator',
  )
})
