import { profile } from '#contract/accounts.ts'
import { answerWithoutWords, logIn } from './account-steps.ts'
import { hold } from './held-calls.ts'
import { expect, test } from './product.ts'
import { bindingOf, kept } from './storage.ts'

test('a call carries the bearer that is kept', async ({ page, product }) => {
  const person = await product.newParticipant()
  await product.signIn(page, person)
  const call = page.waitForRequest('**/api/v1/users/profile')
  await page.goto('/profile')
  expect((await call).headers()['authorization']).toBe(`Bearer ${person.token}`)
})

test('a token that was copied out of the browser is worth nothing elsewhere', async ({ page, product }) => {
  await logIn(page, await product.newParticipant())
  await expect(page).toHaveURL(/\/profile$/)
  const token = (await kept(page, 'token')) ?? ''
  expect((await product.ask(profile, { token })).status).toBe(401)
  expect((await product.ask(profile, { token, cookie: await bindingOf(page) })).status).toBe(200)
  // Nor can a script of the page read what is missing.
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

test('the logout button is disabled while the call is pending', async ({ page, product }) => {
  await product.signIn(page, await product.newParticipant())
  const call = await hold(page, '**/users/logout', 'POST')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeDisabled()
  call.release()
  await expect(page).toHaveURL(/\/login$/)
})

test('a toast of success stays for two seconds, one of failure for four', async ({ page, product }) => {
  const person = await product.newParticipant()
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Email').fill(person.email)
  // From here on time passes only when the test says so, however slow the machine is.
  await page.clock.pauseAt(Date.now() + 60_000)
  const logInWith = async (password: string) => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }

  await logInWith('not the password')
  const failure = page.getByText('Invalid email or password.')
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

test('never more than twenty toasts stand at once', async ({ page }) => {
  await answerWithoutWords(page, '**/users/login')
  await page.clock.install()
  await logIn(page, { email: 'somebody@mail.example', password: 'whatever it is' })
  const failures = page.getByText('Login failed')
  await expect(failures).toHaveCount(1)
  // From here on the clock stands: no toast goes by itself.
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect(failures).toHaveCount(0)
  const button = page.getByRole('button', { name: 'Login', exact: true })
  for (let more = 1; more <= 23; more += 1) {
    await expect(button).toBeEnabled()
    await button.click()
    await expect(failures).toHaveCount(Math.min(more, 20))
  }
})
