import { fillRegister, keepToasts } from '../steps/account-steps.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValue } from '../support/storage.ts'

const create = { name: 'Create Account' }

test('asks for username, email, password and an optional referral code', async ({ page }) => {
  await page.goto('/register')
  await expect(page.getByRole('heading', { level: 1, name: 'Create Account' })).toBeVisible()
  for (const label of ['Username', 'Email']) {
    await expect(page.getByLabel(label)).toHaveAttribute('required', '')
    await expect(page.getByLabel(label)).not.toHaveAttribute('minlength', /./)
  }
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('required', '')
  await expect(page.getByLabel('Referral Code (optional)')).not.toHaveAttribute('required', '')
})

test('trims the referral code and omits an empty one', async ({ page, product }) => {
  const { user } = await product.newParticipant()
  for (const [typed, sent] of [
    [`  ${user.referralCode}  `, user.referralCode],
    ['   ', undefined],
  ] as const) {
    await page.goto('/register')
    await fillRegister(page, newPerson(), typed)
    const call = page.waitForRequest('**/users/register')
    await page.getByRole('button', create).click()
    expect(((await call).postDataJSON() as Record<string, unknown>)['referralCode']).toBe(sent)
    await expect(page).toHaveURL(/\/verify-email$/)
  }
})

test('an invitation link prefills the code, names the inviter and survives navigation', async ({
  page,
  product,
}) => {
  const { user } = await product.newParticipant()
  await page.goto(`/?ref=${user.referralCode}`)
  await page.goto('/roadmap')
  await page.goto('/register')
  await expect(page.getByLabel('Referral Code (optional)')).toHaveValue(user.referralCode)
  await expect(page.getByText(`You were invited by ${user.username}.`)).toBeVisible()
})

test('another value of ‘ref’, as in the links of a newsletter, does not replace the code', async ({
  page,
  product,
}) => {
  const { user } = await product.newParticipant()
  await page.goto(`/?ref=${user.referralCode}`)
  // On a page, whose head.js stores codes, and on a screen, whose application does so too.
  for (const path of ['/roadmap', '/register']) await page.goto(`${path}?ref=newsletter`)
  await expect(page.getByLabel('Referral Code (optional)')).toHaveValue(user.referralCode)
})

test('shows a refusal as a toast and beside its field, and keeps the input', async ({ page, product }) => {
  const taken = await product.newParticipant()
  const person = { ...newPerson(), username: taken.username }
  await page.goto('/register')
  await fillRegister(page, person)
  await keepToasts(page)
  await page.getByRole('button', create).click()
  const words = 'This username is taken. Please choose another.'
  await expect(page.getByText(words)).toHaveCount(2)
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password)
  await expect(page).toHaveURL(/\/register$/)
  expect(await storedValue(page, 'userEmail')).toBeNull()
})

test('shows what is wrong with each invalid value', async ({ page }) => {
  await page.goto('/register')
  await fillRegister(page, { username: 'no spaces', email: 'a@b', password: 'short' }, 'NOBODY')
  await page.getByRole('button', create).click()
  await expect(page.getByText('Please check what you entered.')).toBeVisible()
  await expect(page.getByText('Use 3 to 20 letters, digits, dots, dashes or underscores.')).toBeVisible()
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
  await fillRegister(page, newPerson(), 'NOBODY')
  await page.getByRole('button', create).click()
  await expect(
    page.getByText('This referral code doesn’t exist. Check it or leave the field empty.').first(),
  ).toBeVisible()
})

test('opens rules and privacy without losing the input', async ({ page, context }) => {
  await page.goto('/register')
  await page.getByLabel('Username').fill('pip')
  for (const [name, path] of [
    ['rules', '/rules'],
    ['privacy policy and terms', '/privacy'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    // Polls instead of awaiting the popup event, which may fire twice because the new page is isolated.
    await expect
      .poll(() => context.pages().map((tab) => tab.url()))
      .toContainEqual(expect.stringMatching(`${path}$`))
  }
  await expect(page.getByLabel('Username')).toHaveValue('pip')
})

test('subscribes to announcements only if the box is ticked', async ({ page }) => {
  for (const wish of [false, true]) {
    const person = newPerson()
    await page.goto('/register')
    await fillRegister(page, person)
    const box = page.getByRole('checkbox', { name: /airdrop news/ })
    await expect(box).not.toBeChecked()
    if (wish) await box.check()
    const sent = page.waitForRequest('**/users/register')
    await page.getByRole('button', create).click()
    expect((await sent).postDataJSON()).toEqual({ ...person, ...(wish && { announcements: true }) })
    await expect(page).toHaveURL(/\/verify-email$/)
  }
})
