import type { Locator, Page } from '@playwright/test'
import { profile } from '#contract/accounts/accounts.ts'
import { editClaim } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { expectAccessible } from '../checks/axe.ts'
import { callOrFail } from '../support/caller.ts'
import { claimOf, rowNamed } from '../steps/dashboard-steps.ts'
import { recordDialogs } from '../support/page-messages.ts'
import { newProof, type Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

/** Opens the dashboard and searches for a claimant; without events, which would refresh the list. */
async function openDashboard(page: Page, product: Product, claimant: Participant): Promise<Locator> {
  await product.storeSession(page, await product.admin())
  await page.route(/\/api\/v1\/review\/events/, (route) => route.fulfill({ status: 204 }))
  await page.goto(`/dashboard?view=waiting&search=${claimant.username}`)
  const row = rowNamed(page, claimant)
  await expect(row).toHaveCount(1)
  return row
}

async function edit(product: Product, claimant: Participant): Promise<Proof> {
  const { _id: taskId } = await claimOf(product, claimant)
  const body = newProof()
  await callOrFail(product.url, editClaim, { token: claimant.token, params: { taskId }, body })
  return body
}

test('refuses to verify a claim edited since it was shown, and shows old and new proof', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  const alerts = recordDialogs(page)
  const row = await openDashboard(page, product, claimant)
  const edited = await edit(product, claimant)
  await row.getByRole('button', { name: 'Verify Task' }).click()

  const changed = page.getByRole('dialog', { name: 'The claim has changed' })
  await expect(changed.getByRole('deletion')).toHaveText([
    new RegExp(claimant.proof.wallet, 'i'),
    claimant.proof.telegram.slice(1),
    claimant.proof.twitter.slice(1),
    claimant.proof.retweetLink,
  ])
  await expect(changed.getByRole('insertion')).toHaveText([
    new RegExp(edited.wallet, 'i'),
    edited.telegram.slice(1),
    edited.twitter.slice(1),
    edited.retweetLink,
  ])
  await expectAccessible(page, 'what changed')
  expect((await claimOf(product, claimant)).status).not.toBe('approved')
  expect(alerts).toEqual([])

  // Dismissed, the change stays marked in the focused row; a shortcut shows it again.
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
  await expect(row).toContainText('Changed since you last looked')
  await page.keyboard.press('v')
  await changed.getByRole('button', { name: 'Review again' }).click()
  const card = page.getByRole('complementary', { name: 'Evidence' })
  await expect(card.getByRole('heading', { name: claimant.username })).toBeVisible()
  await expect(row).toBeFocused()
  await expect(row).not.toContainText('Changed since you last looked')
  await card.getByRole('button', { name: 'Verify Task' }).click()
  await expect(row).toHaveCount(0)
  expect((await claimOf(product, claimant)).status).toBe('approved')
})

test('decides several claims at once, except one that was edited since it was shown, and shows its changes before the next decision', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  const other = await product.newClaimant({ email: `${claimant.username}.other@mail.example` })
  const row = await openDashboard(page, product, claimant)
  for (const each of [row, rowNamed(page, other)]) await each.getByRole('checkbox').check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await edit(product, claimant)
  await page.getByRole('button', { name: 'Verify selected' }).click()
  await expect(page.getByText('1 of 2 decided.')).toBeVisible()
  await expect(page.getByText(/was edited after you opened it/)).toBeVisible()
  await expect(rowNamed(page, other)).toHaveCount(0)
  expect((await product.call(profile, { token: other.token })).body.data.totalPoints).toBe(40_000)
  expect((await claimOf(product, claimant)).status).not.toBe('approved')
  await row.getByRole('button', { name: 'See changes' }).click()
  await page.getByRole('button', { name: 'Later' }).click()
  await row.focus()
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog', { name: 'The claim has changed' })).toBeVisible()
})

test('shows the changes of a claim that is open after the list has let it go, before each decision', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  // Without the lock, which starts the review and so ends the time for edits.
  await page.route('**/lock', (route) => route.abort())
  const row = await openDashboard(page, product, claimant)
  await row.getByRole('button', { name: claimant.username }).click()
  const card = page.getByRole('complementary', { name: 'Evidence' })
  await expect(card.getByRole('heading', { name: claimant.username })).toBeVisible()
  const edited = await edit(product, claimant)
  await page.route(/\/api\/v1\/review\/claims\?/, async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as object
    await route.fulfill({ response, json: { ...list, data: [] } })
  })
  const changed = page.getByRole('dialog', { name: 'The claim has changed' })
  for (const decision of ['Verify Task', 'Reject']) {
    await card.getByRole('button', { name: decision, exact: true }).click()
    await expect(changed).toContainText(edited.retweetLink)
    await expect(row).toHaveCount(0)
    await changed.getByRole('button', { name: 'Later' }).click()
  }
  await card.getByRole('button', { name: 'Verify Task' }).click()
  await changed.getByRole('button', { name: 'Review again' }).click()
  await card.getByRole('button', { name: 'Verify Task' }).click()
  await expect(card.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  expect((await claimOf(product, claimant)).status).toBe('approved')
})
