import { fillRegister } from './account-steps.ts'
import { newPerson } from './people.ts'
import { expect, test } from './product.ts'
import { kept } from './storage.ts'

const create = { name: 'Create Account' }

test('asks for username, e-mail, password and an optional referral code', async ({ page }) => {
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

test('a referral code is trimmed, and sent only when there is one', async ({ page, product }) => {
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

test('an invitation fills the code in, names who invites, and survives a walk through the pages', async ({
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

test('what the server refuses is a toast, and its reason stands beside the field; nothing typed is lost', async ({
  page,
  product,
}) => {
  const taken = await product.newParticipant()
  const person = { ...newPerson(), username: taken.username }
  await page.goto('/register')
  await fillRegister(page, person)
  await page.getByRole('button', create).click()
  const words = 'This username is taken. Please choose another.'
  await expect(page.getByText(words)).toHaveCount(2)
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password)
  await expect(page).toHaveURL(/\/register$/)
  expect(await kept(page, 'userEmail')).toBeNull()
})

test('bad values each say what is wrong with them', async ({ page }) => {
  await page.goto('/register')
  await fillRegister(page, { username: 'no spaces', email: 'a@b', password: 'short' }, 'NOBODY')
  await page.getByRole('button', create).click()
  await expect(page.getByText('Please check what you entered.')).toBeVisible()
  await expect(page.getByText('Use 3 to 20 letters, digits, dots, dashes or underscores.')).toBeVisible()
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
  await fillRegister(page, newPerson(), 'NOBODY')
  await page.getByRole('button', create).click()
  await expect(
    page.getByText('This referral code does not exist. Check it, or leave the field empty.').first(),
  ).toBeVisible()
})

test('who registers can read what is agreed to without losing what was typed', async ({ page, context }) => {
  await page.goto('/register')
  await page.getByLabel('Username').fill('pip')
  for (const [name, path] of [
    ['rules', '/rules'],
    ['privacy policy and terms', '/privacy'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    // Not the event of the popup: as its page is isolated from this one, the browser may report it twice.
    await expect
      .poll(() => context.pages().map((tab) => tab.url()))
      .toContainEqual(expect.stringMatching(`${path}$`))
  }
  await expect(page.getByLabel('Username')).toHaveValue('pip')
})

test('announcements are asked for by a tick, and not without one', async ({ page }) => {
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
