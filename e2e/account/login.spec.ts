import { logIn, toast } from '../steps/account-steps.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValue } from '../support/storage.ts'

test('shows the login form with links to password reset and registration', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  for (const label of ['Email', 'Password']) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('required', '')
  }
  await expect(page.getByRole('link', { name: 'Forgot Password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  )
  await expect(page.locator('main a[href="/register"]')).toBeVisible()
})

test('leads a participant to the profile and stores token and user', async ({ page, product }) => {
  const person = await product.newParticipant()
  await logIn(page, person)
  await expect(page.getByText('Logged in successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/profile$/)
  expect(await storedValue(page, 'token')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(JSON.parse((await storedValue(page, 'user')) ?? '')).toEqual(person.user)
})

test('leads an administrator to the dashboard', async ({ page, product }) => {
  await logIn(page, await product.admin())
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('asks an account with an unknown role to contact support', async ({ page, product }) => {
  const person = await product.newParticipant()
  await page.route('**/users/login', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: { role: string } }
    body.data.role = 'owner'
    await route.fulfill({ response: answer, json: body })
  })
  await logIn(page, person)
  await expect(page.getByText('Unknown role. Contact support.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('shows the same error for a wrong password and an unknown email, and stores nothing', async ({
  page,
  product,
}) => {
  const person = await product.newParticipant()
  for (const email of [person.email, newPerson().email]) {
    await logIn(page, { email, password: 'not the password' })
    await expect(toast(page, 'Invalid email or password.').first()).toBeVisible()
    const password = page.getByLabel('Password', { exact: true })
    await expect(password).toHaveAccessibleDescription('Invalid email or password.')
    await expect(password).toBeFocused()
    await expect(page).toHaveURL(/\/login$/)
    expect(await storedValue(page, 'token')).toBeNull()
  }
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password')
})

test('stays usable when the step for a code cannot be loaded', async ({ page }) => {
  const refusal = { message: 'Enter the code.', code: 'two_factor_required' }
  await page.route('**/api/v1/users/login', (route) => route.fulfill({ status: 403, json: refusal }))
  const chunk = /\/assets\/second-factor-[^/]+\.js$/
  await page.route(chunk, (route) => route.abort())
  await logIn(page, { email: 'somebody@mail.example', password: 'whatever it is' })
  await expect(toast(page, 'Login failed')).toBeVisible()
  await page.unroute(chunk)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
})
