import type { Locator, Page } from '@playwright/test'
import { profile } from '#contract/accounts/accounts.ts'
import { expectAccessible } from '../checks/axe.ts'
import { approve, claimOf, reviewOf, rowNamed, rows } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import type { Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

const card = (page: Page): Locator => page.getByRole('complementary', { name: 'Evidence' })

/** Opens the dashboard with a search, which excludes the claims of other tests. */
async function openDashboard(page: Page, product: Product, search: string, who?: Participant): Promise<void> {
  await product.storeSession(page, who ?? (await product.admin()))
  await page.goto(`/dashboard?view=waiting&search=${search}`)
  await expect(page.locator('[data-placeholder]')).toHaveCount(0)
}

/** Two claims that one search finds, and none of another test. */
async function twoClaimants({ newClaimant }: Product): Promise<[Participant, Participant]> {
  const first = await newClaimant()
  return [first, await newClaimant({ email: `${first.username}.other@mail.example` })]
}

const pointsOf = async (product: Product, { token }: Participant) =>
  (await product.call(profile, { token })).body.data.totalPoints

test('finds a waiting claim by search and shows its evidence', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  await openDashboard(page, product, '')
  await page.getByLabel('Name, email, handle or wallet').fill(claimant.proof.wallet)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(new RegExp(`search=${claimant.proof.wallet}`))
  await rowNamed(page, claimant).getByRole('button', { name: claimant.username }).click()
  await expect(card(page).getByRole('heading', { name: claimant.username })).toBeVisible()
  await expect(card(page).getByText(/^Wallet address: Confirmed\. A valid address/)).toBeVisible()
  await expect(card(page).getByText('Received')).toBeVisible()
  await expect(card(page).getByText(/the campaign opened on \w+ \d+, \d{4}, \d+:\d\d [AP]M\.$/)).toBeVisible()
  await expectAccessible(page, 'dashboard with an open card')
  await page.setViewportSize({ width: 1440, height: 900 })
  const [list, beside] = [await page.getByRole('table').boundingBox(), await card(page).boundingBox()]
  expect(beside?.x).toBeGreaterThan((list?.x ?? Infinity) + (list?.width ?? 0))

  await page.getByRole('button', { name: /^Decided/ }).click()
  await expect(page.getByText('No claims here.')).toBeVisible()
  await page.getByRole('button', { name: 'See all claims' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('keyboard shortcuts move between rows, verify, undo, reject and show help, and can be switched off', async ({
  page,
  product,
}) => {
  const [claimant] = await twoClaimants(product)
  await openDashboard(page, product, claimant.username)
  const [above, below] = [rows(page).nth(0), rows(page).nth(1)]
  await expect(below).toBeVisible()
  await above.focus()
  await page.keyboard.press('o')
  await expect(above).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await expect(below).toBeFocused()
  await expect(below).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('k')
  await expect(above).toBeFocused()
  // No row precedes the first.
  await page.keyboard.press('k')
  await expect(above).toBeFocused()
  await page.keyboard.press('o')
  await expect(card(page)).toHaveCount(0)

  const row = rowNamed(page, claimant)
  await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).uncheck()
  await row.focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).check()

  // In the search field they type letters.
  await page.getByLabel('Name, email, handle or wallet').pressSequentially('?')
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toHaveCount(0)
  await row.focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')

  await row.focus()
  await page.keyboard.press('v')
  await expect(row).toHaveCount(0)
  expect((await claimOf(product, claimant)).status).toBe('approved')
  expect(await pointsOf(product, claimant)).toBe(40_000)

  await page.getByRole('button', { name: /^Decided/ }).click()
  await expect(row).toHaveCount(1)
  await row.focus()
  // Not while it is approved; a dialog would also keep the next key from the row.
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(row).toHaveCount(0)
  expect(await pointsOf(product, claimant)).toBe(0)

  await page.getByRole('button', { name: /^Waiting/ }).click()
  await expect(row).toHaveCount(1)
  await row.focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: `Reject ${claimant.username}` })
  await dialog.getByLabel('Reason').selectOption('The post is missing something')
  await dialog.getByLabel('What the participant reads').fill('The hashtag is missing. <b>=1+1</b>')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(row).toHaveCount(0)
  const rejected = await claimOf(product, claimant)
  expect(rejected.status).toBe('rejected')
  expect(rejected.rejection?.text).toContain('The hashtag is missing. <b>=1+1</b>')
})

test('an open card locks the claim for other reviewers, who see the decision; one that is closed while its lock is pending does not', async ({
  page,
  browser,
  product,
}) => {
  const claimant = await product.newClaimant()
  const [boss, colleague] = [await product.admin(), await product.anotherAdmin()]
  await openDashboard(page, product, claimant.username, boss)
  const openCard = () => rowNamed(page, claimant).getByRole('button', { name: claimant.username }).click()
  const replyTo = (method: string) =>
    page.waitForResponse((reply) => reply.url().endsWith('/lock') && reply.request().method() === method)
  const [locked, unlocked] = [replyTo('POST'), replyTo('DELETE')]
  const call = await hold(page, '**/lock', 'POST')
  await openCard()
  await card(page).getByRole('button', { name: 'Close card' }).click()
  await expect(card(page)).toHaveCount(0)
  call.release()
  await Promise.all([locked, unlocked])
  expect((await reviewOf(product, claimant, colleague)).lock).toBeNull()

  await openCard()
  await expect(card(page).getByRole('button', { name: 'Verify Task' })).toBeEnabled()
  const other = await product.pageOf(browser, colleague)
  await openDashboard(other, product, claimant.username, colleague)
  const row = rowNamed(other, claimant)
  await expect(row).toContainText(`${boss.username} is reviewing this`)
  await expect(row.getByRole('button', { name: 'Verify Task' })).toBeDisabled()

  await card(page).getByRole('button', { name: 'Verify Task' }).click()
  await expect(rowNamed(page, claimant)).toHaveCount(0)
  await expect(row).toHaveCount(0)
  expect((await claimOf(product, claimant)).status).toBe('approved')
  await other.close()
})

test('a dialog rejects the claim that it was opened for, though the list has changed; a rejection that ends late leaves the next dialog open', async ({
  page,
  product,
}) => {
  const [first, second] = await twoClaimants(product)
  const third = await product.newClaimant({ email: `${first.username}.third@mail.example` })
  const colleague = await product.anotherAdmin()
  await openDashboard(page, product, first.username)
  await expect(rows(page)).toHaveCount(3)
  const dialog = page.getByRole('dialog')
  const rejectButton = dialog.getByRole('button', { name: 'Reject', exact: true })
  const openDialog = async (claimant: Participant) => {
    await rowNamed(page, claimant).focus()
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog', { name: `Reject ${claimant.username}` })).toBeVisible()
  }
  await openDialog(first)
  await approve(product, first, colleague)
  await expect(rows(page)).toHaveCount(2)
  await rejectButton.click()
  await expect(dialog).toBeHidden()
  const claims = await Promise.all([first, second, third].map((each) => claimOf(product, each)))
  expect(claims.map(({ status }) => status)).toEqual(['approved', 'under_review', 'under_review'])

  const call = await hold(page, '**/reject', 'POST')
  await openDialog(second)
  await rejectButton.click()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await openDialog(third)
  await dialog.getByLabel('What the participant reads').fill('The post was deleted.')
  call.release()
  await expect(rowNamed(page, second)).toHaveCount(0)
  await expect(rejectButton).toBeEnabled()
  await expect(dialog.getByLabel('What the participant reads')).toHaveValue('The post was deleted.')
})

test('a rejection that does not get through keeps what was typed; the card undoes the decision after the list has let the claim go', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  await openDashboard(page, product, claimant.username)
  await rowNamed(page, claimant).getByRole('button', { name: claimant.username }).click()
  await card(page).getByRole('button', { name: 'Reject', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Reject ${claimant.username}` })
  const text = dialog.getByLabel('What the participant reads')
  await text.fill('The hashtag is missing.')
  await page.route('**/reject', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/reject'))
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await failed
  await expect(page.getByText('We couldn’t save the decision.')).toBeVisible()
  await expect(text).toHaveValue('The hashtag is missing.')
  await page.unrouteAll({ behavior: 'wait' })
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(rowNamed(page, claimant)).toHaveCount(0)
  expect((await claimOf(product, claimant)).rejection?.text).toContain('The hashtag is missing.')

  await card(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(rowNamed(page, claimant)).toHaveCount(1)
  expect((await claimOf(product, claimant)).status).toBe('under_review')
})

test('verifies a claim on a page from before the points were changed', async ({ page, product }) => {
  const claimant = await product.newClaimant()
  await page.route('**/dashboard?*', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    expect(html).toContain('"pointsPerTask":5000')
    return route.fulfill({ response, body: html.replace('"pointsPerTask":5000', '"pointsPerTask":4000') })
  })
  await openDashboard(page, product, claimant.username)
  await rowNamed(page, claimant).getByRole('button', { name: 'Verify' }).click()
  await expect(rowNamed(page, claimant)).toHaveCount(0)
  expect(await pointsOf(product, claimant)).toBe(40_000)
})
