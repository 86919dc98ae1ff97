import type { Page } from '@playwright/test'
import { approve, createTwoClaimants, evidenceCard, rowNamed, rows } from '../steps/dashboard-steps.ts'
import { hold } from '../support/intercept.ts'
import type { Participant } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'

/** Creates claimants whom one search finds, and opens the list of their claims, in this order. */
async function openClaimants(page: Page, product: Product, count: number): Promise<Participant[]> {
  const claimants: Participant[] = [...(await createTwoClaimants(product))]
  const { username } = claimants[0]!
  while (claimants.length < count)
    claimants.push(await product.newClaimant({ email: `${username}.${claimants.length}@mail.example` }))
  await product.openAs(page, await product.admin(), `/dashboard?view=waiting&search=${username}`)
  return claimants
}

// Shortcuts: o opens a row's card, v verifies its claim, r rejects it, x selects it, j moves to the next row.
test('after a decision, the next claim has the focus, so that keys alone can decide a whole list', async ({
  page,
  product,
}) => {
  const claimants = await openClaimants(page, product, 3)
  const [first, second, third] = claimants.map((claimant) => rowNamed(page, claimant))
  await first!.focus()
  await page.keyboard.press('o')
  await page.keyboard.press('v')
  await expect(second!).toBeFocused()
  await expect(second!, 'the open card follows').toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The hashtag is missing.')
  await dialog.getByRole('button', { name: /^Reject/ }).click()
  await expect(third!).toBeFocused()
  await page.keyboard.press('v')
  await expect(rows(page)).toHaveCount(0)
})

test('the focus skips rows that disappear together, and stays where the reviewer moves it', async ({
  page,
  product,
}) => {
  const claimants = await openClaimants(page, product, 5)
  const [first, second, third, , fifth] = claimants.map((claimant) => rowNamed(page, claimant))
  const { release } = await hold(page, /\/approve$/, 'PUT')
  await first!.focus()
  for (const key of ['v', 'j', 'v']) await page.keyboard.press(key)
  release()
  await expect(second!).toHaveCount(0)
  await expect(third!).toBeFocused()
  const { release: releaseNext } = await hold(page, /\/approve$/, 'PUT')
  for (const key of ['v', 'j', 'j']) await page.keyboard.press(key)
  releaseNext()
  await expect(third!).toHaveCount(0)
  await expect(fifth!).toBeFocused()

  await test.step('a card stays open if its rejection is canceled and another administrator decides', async () => {
    const { username: name } = claimants[4]!
    for (const key of ['o', 'r']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    const heading = evidenceCard(page).getByRole('heading', { name })
    await heading.click()
    await approve(product, claimants[4]!)
    await expect(fifth!).toHaveCount(0)
    await expect(heading).toBeVisible()
  })
})

test('the focus stays in the list when the button that had it disappears', async ({ page, product }) => {
  const claimants = await openClaimants(page, product, 5)
  const [first, , third, , fifth] = claimants.map((claimant) => rowNamed(page, claimant))
  const press = async (button: string) => page.getByRole('button', { name: button }).press('Enter')
  await first!.focus()

  await test.step('after a bulk decision, in the next row', async () => {
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
    await press('Verify selected')
    await expect(third!).toBeFocused()
  })
  await test.step('after the selection is cleared, in the last selected row', async () => {
    await page.keyboard.press('x')
    await press('Clear selection')
    await expect(third!).toBeFocused()
  })
  await test.step('after a bulk rejection', async () => {
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
    await press('Reject selected')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).press('Enter')
    await expect(fifth!).toBeFocused()
  })
  await test.step('in the list of all claimants, after the button of a row is disabled', async () => {
    await page.goto('/dashboard')
    const row = rows(page)
      .filter({ has: page.getByRole('button', { name: 'Verify Task' }) })
      .first()
    const name = await row.getByRole('button').first().innerText()
    await row.getByRole('button', { name: 'Verify Task' }).press('Enter')
    await expect(rowNamed(page, { username: name })).toBeFocused()
  })
})
