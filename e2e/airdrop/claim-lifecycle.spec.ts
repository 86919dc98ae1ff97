import type { Locator, Page } from '@playwright/test'
import { logoutAll } from '#contract/accounts/sessions.ts'
import { MAX_APPEAL_LENGTH } from '#contract/claims/claims.ts'
import { lockClaim } from '#contract/dashboard/review.ts'
import { keepToasts, submitLogin } from '../steps/account-steps.ts'
import { submitProof } from '../steps/airdrop-steps.ts'
import { expectAccessible } from '../checks/axe.ts'
import { approve, claimOf, reject } from '../steps/dashboard-steps.ts'
import { paste, returnToTab } from '../steps/page-steps.ts'
import { submitClaim, newProof, type Participant, newPerson } from '../support/people.ts'
import { hold } from '../support/intercept.ts'
import { expect, test, type Product } from '../support/product.ts'

const yourClaim = (page: Page): Locator => page.getByRole('region', { name: 'Your claim' })
const taskStatus = (page: Page): Locator =>
  page.locator('dl > div', { has: page.locator('dt', { hasText: 'Task Status' }) }).locator('dd')

/** Loads the profile again, so that no step depends on when it refreshes. */
async function reloadProfile(page: Page): Promise<void> {
  await page.goto('/profile')
  await expect(yourClaim(page)).toBeVisible()
}

test('the profile shows each state of a claim from submission to approval', async ({ page, product }) => {
  const person = await claimAsDuplicate(product)

  await test.step('held', async () => {
    await untilHeld(product, person)
    await product.openAs(page, person, '/profile')
    await expect(taskStatus(page)).toHaveText('Under Review')
    await expect(yourClaim(page)).toContainText('Received')
    await expect(yourClaim(page).getByText('Held', { exact: true })).toBeVisible()
    await expect(yourClaim(page)).toContainText(
      'The email address is a variant of the one used by another account.',
    )
    await expect(yourClaim(page)).toContainText(/Number \d+ in the review queue\./)
    await expectAccessible(page, 'held', 'main')
  })

  await test.step('edited before its review', async () => {
    const { wallet } = newProof()
    await yourClaim(page).getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByRole('heading', { name: 'Claim Your Airdrop' })).toBeVisible()
    await expect(page.getByLabel('Wallet Address')).toHaveValue(/^0x/)
    await page.getByLabel('Wallet Address').fill(wallet)
    await submitProof(page)
    await expect(page.getByText('Your changes have been saved.')).toBeVisible()
    await expect(page).toHaveURL('/profile')
    await expect(yourClaim(page)).toContainText('Edited')
    expect((await claimOf(product, person)).wallet.toLowerCase()).toBe(wallet)
  })

  await test.step('rejected with a reason', async () => {
    // Markup, a formula and Arabic have to be shown as they are.
    await reject(product, person, 'Add #PulseChain. <b>=1+1</b> ستُنشر')
    await reloadProfile(page)
    await expect(taskStatus(page)).toHaveText('Not Submitted')
    await expect(yourClaim(page).getByText('Rejected', { exact: true }).first()).toBeVisible()
    const words = 'The post is missing something the task asks for. Add #PulseChain. <b>=1+1</b> ستُنشر'
    await expect(yourClaim(page).getByText(words), 'the state and the timeline').toHaveCount(2)
    await expect(yourClaim(page)).toContainText('We’re keeping your slot for you until')
    await expectAccessible(page, 'rejected', 'main')
  })

  await test.step('corrected and held again', async () => {
    await yourClaim(page).getByRole('link', { name: 'Correct and resubmit' }).click()
    await expect(page.getByLabel('Telegram')).not.toHaveValue('')
    const { twitter, retweetLink } = newProof()
    await page.getByLabel('Twitter').fill(twitter)
    await page.getByLabel('Retweet Link').fill(retweetLink)
    await keepToasts(page)
    await submitProof(page)
    await expect(page.getByText('Task submitted successfully!')).toBeVisible()
    await expect(yourClaim(page)).toContainText('Corrected and resubmitted')
    await untilHeld(product, person)
    expect((await claimOf(product, person)).attempt).toBe(2)
  })

  const appeal = yourClaim(page).getByLabel('Your appeal')

  await test.step('an unsent appeal stays while the payout loads again', async () => {
    const payoutCalls = '**/api/v1/payout/own'
    const payout = page.getByRole('region', { name: 'Your payout' })
    await page.route(payoutCalls, (route) => route.abort())
    await reloadProfile(page)
    await expect(payout.getByRole('alert')).toBeVisible()
    await appeal.fill('My sister has the other account.')
    await page.unrouteAll({ behavior: 'wait' })
    const call = await hold(page, payoutCalls)
    const requested = page.waitForRequest(payoutCalls)
    await payout.getByRole('button', { name: 'Try again' }).click()
    await requested
    await expect(payout.getByRole('alert')).toHaveCount(0)
    call.release()
    await expect(payout, 'nothing is frozen').toHaveCount(0)
    await expect(appeal).toHaveValue('My sister has the other account.')
  })

  await test.step('a refused password takes the focus, although the appeal is invalid, too', async () => {
    await appeal.fill(' ')
    await yourClaim(page).getByRole('button', { name: 'Send appeal' }).click()
    await expect(appeal).toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('button', { name: 'Download your data' }).click()
    const dialog = page.getByRole('dialog')
    const password = dialog.getByLabel('Password', { exact: true })
    await password.fill('not my password')
    await dialog.getByRole('button', { name: 'Download', exact: true }).click()
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    await expect(password).toBeFocused()
  })

  await test.step('appealed only once', async () => {
    await reloadProfile(page)
    const text = 'My sister has the other account. <i>Ask her.</i>'
    await appeal.fill(text)
    await expect(yourClaim(page)).toContainText(`${MAX_APPEAL_LENGTH - text.length} characters left`)
    await yourClaim(page).getByRole('button', { name: 'Send appeal' }).click()
    await expect(page.getByText('Thank you. A reviewer will read your appeal.')).toBeVisible()
    await expect(yourClaim(page).getByText('Waiting for a reply')).toBeVisible()
    await expect(yourClaim(page).getByText(text)).toBeVisible()
    await expect(appeal).toHaveCount(0)
    await expectAccessible(page, 'appealed', 'main')
  })

  await test.step('approved, with a complete timeline', async () => {
    await approve(product, person)
    await reloadProfile(page)
    await expect(taskStatus(page)).toHaveText('Approved')
    await expect(yourClaim(page).getByText('Answered')).toBeVisible()
    await expect(yourClaim(page).getByRole('button')).toHaveCount(0)
    const labels = yourClaim(page).getByRole('listitem').locator('p:first-child > span')
    const entries = await labels.allTextContents()
    const byPeople = ['Received', 'Edited', 'Rejected', 'Corrected and resubmitted', 'Appealed']
    expect(entries.filter((entry) => byPeople.includes(entry))).toEqual(byPeople)
    expect(entries.filter((entry) => entry === 'Held for a closer look')).toHaveLength(2)
    expect(entries.at(-1)).toBe('Approved, points credited')
  })
})

test('an edit during the review is refused, and there is no fourth attempt', async ({ page, product }) => {
  const person = await product.newClaimant()
  const editedWallet = newProof().wallet
  await product.storeSession(page, person)

  await test.step('the refusal of an edit refreshes the profile', async () => {
    await reloadProfile(page)
    await yourClaim(page).getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Wallet Address').fill(editedWallet)
    const { _id: claimId, wallet } = await claimOf(product, person)
    const { token } = await product.admin()
    await product.callOrFail(lockClaim, { token, params: { claimId } })
    await submitProof(page)
    await expect(
      page.getByText('The review of your claim has started, so it can no longer be changed.'),
    ).toBeVisible()
    await expect(page).toHaveURL('/profile')
    await expect(yourClaim(page)).toBeVisible()
    await expect(yourClaim(page).getByRole('button', { name: 'Edit' })).toHaveCount(0)
    expect((await claimOf(product, person)).wallet).toBe(wallet)
  })

  await test.step('after the third rejection, only an appeal is offered', async () => {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      if (attempt > 1) await submitClaim(product.url, person)
      await reject(product, person, 'The post is of another day.')
      if (attempt === 1) await expectRefusedEdit(page, editedWallet)
    }
    for (const path of ['/airdrop', '/profile']) {
      await page.goto(path)
      await expect(page.getByText('You have used all 3 attempts')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Correct and resubmit' })).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Claim Now' })).toHaveCount(0)
    }
    await expect(page.getByRole('button', { name: 'Send appeal' })).toBeVisible()
  })
})

test('an unsent appeal survives a reload and the end of the session', async ({ page, product }) => {
  const person = await product.newClaimant()
  await reject(product, person, 'The post is of another day.')
  await product.openAs(page, person, '/profile')
  const appeal = page.getByLabel('Your appeal')
  await test.step('invisible characters in a pasted text are left out, except those that join emoji', async () => {
    const copied = '\u200eIt\tis of the\u00ad right \u{1f468}\u200d\u{1f680} day.\u2069\n'
    await paste(appeal, copied)
    await expect(appeal).toHaveValue('It is of the right \u{1f468}\u200d\u{1f680} day.\n')
    await page.keyboard.press('ControlOrMeta+z')
    await expect(appeal).toHaveValue('')
  })
  await appeal.fill('It is of the right day.')
  await page.reload()
  await expect(appeal).toHaveValue('It is of the right day.')
  await product.call(logoutAll, { token: person.token })
  await yourClaim(page).getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText('Please log in.')).toBeVisible()
  await returnToTab(page)
  await expect(page).toHaveURL(/\/login$/)
  await submitLogin(page, person)
  await expect(appeal).toHaveValue('It is of the right day.')
})

/** Expects the correction of a rejected claim to begin with the wallet of an edit that came too late. */
async function expectRefusedEdit(page: Page, wallet: string): Promise<void> {
  await reloadProfile(page)
  await yourClaim(page).getByRole('link', { name: 'Correct and resubmit' }).click()
  await expect(page.getByLabel('Wallet Address')).toHaveValue(wallet)
}

/** Creates a claimant whose email is a variant of another claimant's, so that the claim is held. */
async function claimAsDuplicate(product: Product): Promise<Participant> {
  const { username } = newPerson()
  await product.newClaimant({ email: `${username}@gmail.com` })
  return product.newClaimant({ email: `${username.replace('.', '')}@gmail.com` })
}

const untilHeld = (product: Product, person: Participant): Promise<void> =>
  expect.poll(async () => (await claimOf(product, person)).status).toBe('held')
