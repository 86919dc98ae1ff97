import type { Locator, Page } from '@playwright/test'
import { editClaim } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { expectAccessible } from '../checks/axe.ts'
import { accountOf, claimOf, createTwoClaimants, evidenceCard, rowNamed } from '../steps/dashboard-steps.ts'
import { changeReplies, hold } from '../support/intercept.ts'
import { recordDialogs } from '../support/page-messages.ts'
import { newProof, type Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

/** Opens the dashboard without events, so that its list does not refresh. @returns the claimant's row. */
async function openDashboard(page: Page, product: Product, claimant: Participant): Promise<Locator> {
  await product.storeSession(page, await product.admin())
  await page.route(/\/api\/v1\/review\/events/, (route) => route.fulfill({ status: 204 }))
  await page.goto(`/dashboard?view=waiting&search=${claimant.username}`)
  const row = rowNamed(page, claimant)
  await expect(row).toHaveCount(1)
  return row
}

/** @returns the new proof. */
async function editProof(product: Product, claimant: Participant): Promise<Proof> {
  const { _id: taskId } = await claimOf(product, claimant)
  const body = newProof()
  await product.callOrFail(editClaim, { token: claimant.token, params: { taskId }, body })
  return body
}

const changesDialog = (page: Page) => page.getByRole('dialog', { name: 'The claim has changed' })

const shownValues = ({ wallet, telegram, twitter, retweetLink }: Proof) => [
  new RegExp(wallet, 'i'),
  telegram.slice(1),
  twitter.slice(1),
  retweetLink,
]

test('refuses to verify a claim edited since it was shown', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  const alerts = recordDialogs(page)
  const row = await openDashboard(page, product, claimant)
  const editedProof = await editProof(product, claimant)

  await test.step('shows the changes instead of verifying', async () => {
    await row.getByRole('button', { name: 'Verify Task' }).click()
    await expect(changesDialog(page).getByRole('deletion')).toHaveText(shownValues(claimant.proof))
    await expect(changesDialog(page).getByRole('insertion')).toHaveText(shownValues(editedProof))
    await expectAccessible(page, 'what changed', 'dialog[open]')
    expect((await claimOf(product, claimant)).status).not.toBe('approved')
    expect(alerts).toEqual([])
  })

  await test.step('marks the row after the dialog is dismissed', async () => {
    await page.keyboard.press('Escape')
    await expect(row).toBeFocused()
    await expect(row).toContainText('Changed since you last looked')
  })

  await test.step('shows the changes again, and lets the claim be reviewed again', async () => {
    await page.keyboard.press('v') // as in “verify”
    await changesDialog(page).getByRole('button', { name: 'Review again' }).click()
    await expect(evidenceCard(page).getByRole('heading', { name: claimant.username })).toBeVisible()
    await expect(row).toBeFocused()
    await expect(row).not.toContainText('Changed since you last looked')
  })

  await test.step('verifies the claim', async () => {
    await evidenceCard(page).getByRole('button', { name: 'Verify Task' }).click()
    await expect(row).toHaveCount(0)
    expect((await claimOf(product, claimant)).status).toBe('approved')
  })
})

test('decides several claims at once, except a claim that was edited meanwhile', async ({
  page,
  product,
}) => {
  const [claimant, other] = await createTwoClaimants(product)
  const row = await openDashboard(page, product, claimant)
  await row.getByRole('checkbox').check()
  await rowNamed(page, other).getByRole('checkbox').check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await editProof(product, claimant)

  await page.getByRole('button', { name: 'Verify selected' }).click()
  await expect(page.getByText('1 of 2 decided.')).toBeVisible()
  await expect(page.getByText(/was edited after you opened it/)).toBeVisible()
  await expect(rowNamed(page, other)).toHaveCount(0)
  expect((await accountOf(product, other)).totalPoints).toBe(40_000)
  expect((await claimOf(product, claimant)).status).not.toBe('approved')

  await row.getByRole('button', { name: 'See changes' }).click()
  await page.getByRole('button', { name: 'Later' }).click()
  await row.focus()
  await page.keyboard.press('r') // as in “reject”
  await expect(changesDialog(page)).toBeVisible()
})

test('shows the changes of a refused claim when another claim is verified before the reply', async ({
  page,
  product,
}) => {
  const [claimant, other] = await createTwoClaimants(product)
  const row = await openDashboard(page, product, claimant)
  const { _id: taskId } = await claimOf(product, claimant)
  const approval = await hold(page, `**/tasks/${taskId}/approve`, 'PUT')
  const { retweetLink } = await editProof(product, claimant)

  await row.getByRole('button', { name: 'Verify Task' }).click()
  await rowNamed(page, other).getByRole('button', { name: 'Verify Task' }).click()
  await expect(rowNamed(page, other)).toHaveCount(0)
  approval.release()
  await expect(changesDialog(page)).toContainText(retweetLink)
})

test('shows the changes of an open claim that has left the list', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  // Without a lock, the claim can still be edited.
  await page.route('**/lock', (route) => route.abort())
  const row = await openDashboard(page, product, claimant)
  await row.getByRole('button', { name: claimant.username }).click()
  const card = evidenceCard(page)
  await expect(card.getByRole('heading', { name: claimant.username })).toBeVisible()
  const { retweetLink } = await editProof(product, claimant)
  // From now on, the list is empty.
  await changeReplies(page, /\/api\/v1\/review\/claims\?/, (list: object) => ({ ...list, data: [] }))

  for (const decision of ['Verify Task', 'Reject']) {
    await card.getByRole('button', { name: decision, exact: true }).click()
    await expect(changesDialog(page)).toContainText(retweetLink)
    await expect(row).toHaveCount(0)
    await changesDialog(page).getByRole('button', { name: 'Later' }).click()
  }

  await card.getByRole('button', { name: 'Verify Task' }).click()
  await changesDialog(page).getByRole('button', { name: 'Review again' }).click()
  await card.getByRole('button', { name: 'Verify Task' }).click()
  await expect(card.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  expect((await claimOf(product, claimant)).status).toBe('approved')
})
