import type { Page } from '@playwright/test'
import { ownClaim } from '#contract/claims/claims.ts'
import { REVIEW_EVENTS_PATH } from '#contract/dashboard/review.ts'
import { expectAccessible, expectAccessibleOnPhone } from '../checks/axe.ts'
import { announced, recordConsoleErrors, recordDialogs } from '../support/page-messages.ts'
import { expectCopies } from '../steps/page-steps.ts'
import {
  accountOf,
  approve,
  claimOf,
  createTwoClaimants,
  openCard,
  rowNamed,
  rows,
} from '../steps/dashboard-steps.ts'
import { fakeOtherSites, hold } from '../support/intercept.ts'
import type { Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

const LIST = /\/api\/v1\/users\/\?/
/** The list with a search. */
const FOUND = /\/api\/v1\/review\/claims\?/
const APPROVAL = /\/api\/v1\/tasks\/[^/]+\/approve$/

async function openDashboard(page: Page, product: Product, query = ''): Promise<void> {
  await product.openAs(page, await product.admin(), `/dashboard${query}`)
}

test('only administrators can open the dashboard, whatever the browser has stored', async ({
  page,
  product,
}) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login')

  const participant = await product.newParticipant()
  const asAdmin = { ...participant.user, role: 'admin' as const }
  for (const [stored, shown] of [
    [participant, '/profile'],
    [{ ...participant, user: asAdmin }, '/profile'],
    [{ ...participant, user: asAdmin, token: 'unknown' }, '/login'],
  ] as const) {
    await product.openAs(page, stored, '/dashboard')
    await expect(page).toHaveURL(shown)
  }

  await test.step('a logout in another tab leads to the login', async () => {
    await product.openAs(page, await product.admin(), '/dashboard/settings')
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    const otherTab = await page.context().newPage()
    await otherTab.goto('/robots.txt')
    await otherTab.evaluate(() => localStorage.removeItem('token'))
    await expect(page).toHaveURL('/login')
  })
})

test('a row shows number, email, handles and the post', async ({ page, product }) => {
  await fakeOtherSites(page.context(), product)
  const { username, email, proof } = await product.newClaimant()
  await page.clock.install() // `expectCopies` pauses it

  await test.step('a page number that is too high shows the last page', async () => {
    await openDashboard(page, product, '?page=500000')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users with Completed Tasks')
    await expect(page).not.toHaveURL(/500000/)
  })

  const row = rows(page).filter({ hasText: username })
  const cells = row.getByRole('cell')
  await test.step('number and email', async () => {
    const titles = ['#', 'Username', 'Email', 'Telegram', 'Twitter', 'Retweet Link', 'Action']
    await expect(page.getByRole('columnheader')).toHaveText(titles)
    await expect(cells.first()).toHaveText(/^\d+$/)
    await expect(page.getByText('No claims have been submitted yet.')).toHaveCount(0)
    await expect(cells.nth(2)).toHaveText(email)
  })

  await test.step('a button copies each handle, and says so for a second', async () => {
    for (const [index, handle] of [proof.telegram.slice(1), proof.twitter.slice(1)].entries()) {
      const cell = cells.nth(3 + index)
      await expect(cell).toContainText(handle)
      const button = cell.getByRole('button')
      await expect(button).toHaveText('Copy')
      await expectCopies(page, button, handle, 1_000)
    }
  })

  await test.step('the post opens in a new tab', async () => {
    const post = cells.nth(5).getByRole('link', { name: 'View Retweet' })
    await expect(post).toHaveAttribute('href', proof.retweetLink)
    await expect(post).toHaveAttribute('target', '_blank')
    await expect(post).toHaveAttribute('rel', /noopener/)
    const opened = page.context().waitForEvent('page')
    await post.click()
    const tab = await opened
    await expect(tab).toHaveURL(proof.retweetLink)
    await tab.close()
  })
})

test('a failed approval raises an alert, and a successful approval reloads the list', async ({
  page,
  product,
}) => {
  const [approved, neighbor] = await createTwoClaimants(product)
  await openDashboard(page, product, `?search=${approved.username}`)
  await expect(rows(page)).toHaveCount(2)
  const usernames = rows(page).locator('td:nth-child(2)')
  const order = await usernames.allTextContents()
  const button = rowNamed(page, approved).getByRole('cell').last().getByRole('button')
  const points = { pfPoints: 20_000, plsPoints: 20_000 }

  await test.step('an approval that fails', async () => {
    const raised = recordDialogs(page)
    await page.route(APPROVAL, (route) => route.abort(), { times: 1 })
    await button.click()
    await expect.poll(() => raised).toEqual(['alert: Failed to verify task'])
    await expect(button).toHaveText('Verify Task')
  })

  await test.step('an approval in progress', async () => {
    const [approval, list] = [await hold(page, APPROVAL, 'PUT'), await hold(page, FOUND)]
    const sent = page.waitForRequest(APPROVAL)
    await button.click()
    await expect(button).toHaveText('Verifying...')
    await expect(button).toBeDisabled()
    expect((await sent).postDataJSON()).toEqual({ ...points, revision: expect.stringMatching(/./) })
    const reloaded = page.waitForRequest(FOUND)
    approval.release()
    await reloaded
    // The old list stays while the new list loads.
    await expect(page.locator('[data-placeholder]')).toHaveCount(0)
    list.release()
  })

  await test.step('the reloaded list, in the same order', async () => {
    await expect(button).toHaveText('Verified')
    await expect(button).toBeDisabled()
    expect(await usernames.allTextContents()).toEqual(order)
    await expect(rowNamed(page, neighbor).getByRole('button', { name: 'Verify Task' })).toBeEnabled()
  })

  await test.step('only the approved participant has points', async () => {
    expect(await accountOf(product, approved)).toMatchObject({ ...points, totalPoints: 40_000 })
    expect(await accountOf(product, neighbor)).toMatchObject({ totalPoints: 0 })
  })
})

test('shows placeholder rows while the list loads, and a retry after a failure', async ({
  page,
  product,
}) => {
  const placeholders = page.locator('[data-placeholder]')
  const retryButton = page.getByRole('button', { name: 'Try again' })
  const logged = recordConsoleErrors(page)
  const raised = recordDialogs(page)
  await page.route(LIST, (route) =>
    route.fulfill({ status: 500, json: { message: 'Broken.', code: 'internal' } }),
  )
  const call = await hold(page, LIST)

  await test.step('while the list loads', async () => {
    const request = page.waitForRequest(LIST)
    await openDashboard(page, product)
    expect(new URL((await request).url()).search).toBe('?page=1&limit=20')
    await expect(placeholders).toHaveCount(20)
    await expect(page.locator('tbody').getByRole('row')).toHaveCount(20)
    // As wide as what arrives, or the columns would jump.
    const widthOf = async (column: number) =>
      (await page.getByRole('columnheader').nth(column).boundingBox())!.width
    const [number, username, email] = await Promise.all([widthOf(0), widthOf(1), widthOf(2)])
    expect(email).toBeGreaterThan(1.5 * username)
    expect(username).toBeGreaterThan(1.5 * number)
    await expectAccessibleOnPhone(page, 'loading dashboard', 'main')
    call.release()
  })

  await test.step('after its call has failed', async () => {
    await expect.poll(() => logged.some((text) => text.includes('GET /users/'))).toBe(true)
    await expect(page.getByRole('heading', { name: 'Users with Completed Tasks' })).toBeVisible()
    await expect(placeholders).toHaveCount(0)
    await expect(page.getByText('We couldn’t load the claims.')).toBeVisible()
    await expect(page.getByText('Broken.')).toHaveCount(0)
    await expect(announced(page)).toHaveCount(0)
    expect(raised).toEqual([])
    await expectAccessibleOnPhone(page, 'failed dashboard', 'main')
  })

  await test.step('after the retry', async () => {
    await page.unrouteAll()
    await retryButton.click()
    await expect(retryButton).toHaveCount(0)
    await expect(placeholders).toHaveCount(0)
  })
})

test('shows changes from before the event stream was open', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  // Waits for the automatic checks, which also send events.
  const status = async () => (await claimOf(product, claimant)).status
  await expect.poll(status).toBe('under_review')

  // While another screen listens, a new stream begins with the last event. Without a listener, it would begin
  // with an event that makes the screen reload its list anyway.
  const otherPage = await page.context().newPage()
  const listening = otherPage.waitForResponse(`**${REVIEW_EVENTS_PATH}`)
  const search = `?search=${claimant.username}`
  await openDashboard(otherPage, product, search)
  await listening

  const stream = await hold(page, `**${REVIEW_EVENTS_PATH}`)
  await openDashboard(page, product, search)
  const row = rowNamed(page, claimant)
  await expect(row.getByRole('button', { name: 'Verify Task' })).toBeVisible()
  await approve(product, claimant)
  await expect(rowNamed(otherPage, claimant).getByRole('button', { name: 'Verified' })).toBeVisible()
  stream.release()
  await expect(row.getByRole('button', { name: 'Verified' })).toBeVisible()
})

/** Creates two accounts with the same mailbox and a claim each, and waits until both claims are held. */
async function createAliases(product: Product): Promise<[Participant, Participant]> {
  const original = await product.newClaimant()
  const alias = await product.newClaimant({ email: original.email.replace('@', '+2@') })
  for (const person of [original, alias])
    await expect.poll(async () => (await claimOf(product, person)).status).toBe('held')
  return [original, alias]
}

test('rejects all claims of a cluster and frees its slots', async ({ page, product }) => {
  const people = await createAliases(product)
  const card = await openCard(page, product, people[0])
  await expect(card.getByRole('heading', { name: 'Cluster of 2' })).toBeVisible()
  await card.getByRole('button', { name: 'Reject all and free the slots' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject a cluster of 2' })
  await expect(dialog.getByLabel('Reason').getByRole('option')).toHaveText([
    'One person, several accounts',
    'Done by a program',
  ])
  await expectAccessible(page, 'rejecting a cluster', 'dialog[open]')
  await dialog.getByLabel('What the participant reads').fill('Two accounts of one mailbox.')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(page.getByText('2 of 2 decided.')).toBeVisible()
  await expect(page.getByText('2 slots are free again.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)

  for (const { token } of people) {
    const claim = { status: 'rejected', rejection: { code: 'same_person' }, isAppealable: true }
    const { data } = (await product.call(ownClaim, { token })).body
    expect(data).toMatchObject({ claim, slot: null, attemptsLeft: 2 })
  }
})
