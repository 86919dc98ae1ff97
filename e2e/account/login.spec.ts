import type { Route } from '@playwright/test'
import { expectAccessibleOnPhone } from '../checks/axe.ts'
import { keepToasts, submitLogin, toast } from '../steps/account-steps.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValue } from '../support/storage.ts'

test('a login that fails says why and leaves the form usable', async ({ page, product }) => {
  const person = await product.newParticipant()
  const password = page.getByLabel('Password', { exact: true })
  await page.goto('/login')
  await keepToasts(page)

  await test.step('the form requires both values, and links to password reset and registration', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
    for (const field of [page.getByLabel('Email'), password])
      await expect(field).toHaveAttribute('required', '')
    const forgotten = page.getByRole('link', { name: 'Forgot Password?' })
    await expect(forgotten).toHaveAttribute('href', '/forgot-password')
    await expect(page.locator('main a[href="/register"]')).toBeVisible()
  })

  await test.step('a wrong password and an unknown email: the same error, and nothing is stored', async () => {
    const message = 'Invalid email or password.'
    for (const [earlierToasts, email] of [person.email, newPerson().email].entries()) {
      await submitLogin(page, { email, password: 'not the password' })
      await expect(toast(page, message)).toHaveCount(earlierToasts + 1)
      await expect(password).toHaveAccessibleDescription(message)
      await expect(password).toBeFocused()
      await expect(page).toHaveURL(/\/login$/)
      expect(await storedValue(page, 'token')).toBeNull()
    }
    await expect(password).toHaveValue('not the password')
    await expectAccessibleOnPhone(page, 'refused login')
  })

  await test.step('an account with an unknown role', async () => {
    const giveRole = async (route: Route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { role: string } }
      body.data.role = 'owner'
      await route.fulfill({ response: answer, json: body })
    }
    await page.route('**/users/login', giveRole, { times: 1 })
    await submitLogin(page, person)
    await expect(toast(page, 'Unknown role. Contact support.')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('the step for an authenticator code, when it cannot be loaded at first', async () => {
    const refusal = { message: 'Enter the code.', code: 'two_factor_required' }
    await page.route('**/api/v1/users/login', (route) => route.fulfill({ status: 403, json: refusal }))
    const chunk = /\/assets\/second-factor-[^/]+\.js$/
    await page.route(chunk, (route) => route.abort())
    const submit = page.getByRole('button', { name: 'Login', exact: true })
    await submit.click()
    await expect(toast(page, 'Login failed')).toBeVisible()
    await page.unroute(chunk)
    await submit.click()
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  })
})
