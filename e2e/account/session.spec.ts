import { profile } from '#contract/accounts/accounts.ts'
import { logoutAll } from '#contract/accounts/sessions.ts'
import { replyWithoutMessage, logIn, toast } from '../steps/account-steps.ts'
import { hold } from '../support/held-calls.ts'
import { expect, test } from '../support/product.ts'
import { bindingCookie, storedValue } from '../support/storage.ts'

test('calls carry the stored bearer token', async ({ page, product }) => {
  const person = await product.newParticipant()
  await product.storeSession(page, person)
  const call = page.waitForRequest('**/api/v1/users/profile')
  await page.goto('/profile')
  expect((await call).headers()['authorization']).toBe(`Bearer ${person.token}`)
})

test('a stolen token does not work in another browser', async ({ page, product }) => {
  await logIn(page, await product.newParticipant())
  await expect(page).toHaveURL(/\/profile$/)
  const token = (await storedValue(page, 'token')) ?? ''
  expect((await product.call(profile, { token })).status).toBe(401)
  expect((await product.call(profile, { token, cookie: await bindingCookie(page) })).status).toBe(200)
  // Scripts cannot read the binding cookie.
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

test('disables the logout button while the call is pending', async ({ page, product }) => {
  await product.storeSession(page, await product.newParticipant())
  const call = await hold(page, '**/users/logout', 'POST')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeDisabled()
  call.release()
  await expect(page).toHaveURL(/\/login$/)
})

test('shows success toasts for two seconds and error toasts for four', async ({ page, product }) => {
  const person = await product.newParticipant()
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Email').fill(person.email)
  // From here on the clock is paused, so that slow machines do not matter.
  await page.clock.pauseAt(Date.now() + 60_000)
  const logInWith = async (password: string) => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }

  await logInWith('not the password')
  const failure = toast(page, 'Invalid email or password.')
  await expect(failure).toBeVisible()
  await page.clock.runFor(3_500)
  await expect(failure).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(failure).toBeHidden()

  await logInWith(person.password)
  const success = page.getByText('Logged in successfully!')
  await expect(success).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(success).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(success).toBeHidden()
})

test('shows at most twenty toasts at once', async ({ page }) => {
  await replyWithoutMessage(page, '**/users/login')
  // The step keeps its toasts, so that none expires.
  await logIn(page, { email: 'somebody@mail.example', password: 'whatever it is' })
  const failures = page.getByText('Login failed')
  await expect(failures).toHaveCount(1)
  const button = page.getByRole('button', { name: 'Login', exact: true })
  for (let more = 2; more <= 23; more += 1) {
    await expect(button).toBeEnabled()
    await button.click()
    await expect(failures).toHaveCount(Math.min(more, 20))
  }
})

test('a refusal that comes after the next login does not end it', async ({ page, product }) => {
  const person = await product.newParticipant()
  await product.storeSession(page, person)
  await product.call(logoutAll, { token: person.token })
  const call = await hold(page, '**/users/profile')
  await page.goto('/profile')
  const other = await page.context().newPage()
  await logIn(other, person)
  await expect(other).toHaveURL(/\/profile$/)
  call.release()
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedValue(page, 'token')).not.toBeNull()
})
