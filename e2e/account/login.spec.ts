import { expectAccessible, expectAccessibleOnPhone } from '../checks/axe.ts'
import { press, tabTo } from '../checks/focus.ts'
import { keepToasts, pauseClock, submitLogin, toast } from '../steps/account-steps.ts'
import { changeReplies, hold, recordCalls } from '../support/intercept.ts'
import { newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { storedValue } from '../support/storage.ts'

const CALL = '**/api/v1/users/login'

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

  await test.step('a pending call keeps the focus on its button, and is sent once', async () => {
    const submit = page.getByRole('button', { name: 'Login', exact: true })
    const calls = recordCalls(page)
    const json = { message: 'Closed for an hour.', code: 'unavailable' }
    await page.route(CALL, (route) => route.fulfill({ status: 503, json }))
    const answer = await hold(page, CALL, 'POST')
    await page.getByLabel('Email').fill(person.email)
    await password.fill('whatever it is')
    await press(page, submit)
    await expect(submit).toBeDisabled()
    await expect(submit).toBeFocused()
    await expect(submit).toHaveCSS('cursor', 'not-allowed')
    await expectAccessible(page, 'a pending call')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await submit.click({ force: true })
    await password.press('Enter')
    await tabTo(page, submit)
    answer.release()
    await expect(toast(page, 'Closed for an hour.')).toBeVisible()
    await expect(submit).toBeEnabled()
    await expect(submit).toBeFocused()
    expect(calls).toEqual(['POST /api/v1/users/login'])
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('a wrong password and an unknown email get the same error, and nothing is stored', async () => {
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

  await test.step('an account with an unknown role is not logged in', async () => {
    const giveUnknownRole = ({ data, ...reply }: { data: object }) => ({
      ...reply,
      data: { ...data, role: 'owner' },
    })
    await changeReplies(page, CALL, giveUnknownRole, { times: 1 })
    await submitLogin(page, person)
    await expect(toast(page, 'Unknown role. Contact support.')).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('the step for an authenticator code can be opened again if it fails to load', async () => {
    const refusal = { message: 'Enter the code.', code: 'two_factor_required' }
    await page.route(CALL, (route) => route.fulfill({ status: 403, json: refusal }))
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

test('shows at most twenty toasts: errors for four seconds, successes for two', async ({ page, product }) => {
  const person = await product.newParticipant()
  await page.clock.install()
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeVisible()
  await pauseClock(page)

  await test.step('an error', async () => {
    await submitLogin(page, { ...person, password: 'not the password' })
    const failure = toast(page, 'Invalid email or password.')
    await expect(failure).toBeVisible()
    await page.clock.runFor(3_500)
    await expect(failure).toBeVisible()
    await page.clock.runFor(1_500)
    await expect(failure).toBeHidden()
  })

  await test.step('the latest twenty of 22 errors', async () => {
    let calls = 0
    await page.route('**/users/login', (route) => {
      calls += 1
      return route.fulfill({ status: 500, json: { message: `Failure ${calls}.`, code: 'internal' } })
    })
    for (let failure = 1; failure <= 22; failure += 1) {
      // A click would also wait until the button stands still.
      await page.locator('form button[type=submit]:not([aria-disabled])').dispatchEvent('click')
      await expect(toast(page, `Failure ${failure}.`)).toBeVisible()
    }
    await expect(page.getByText(/^Failure \d+\.$/)).toHaveCount(20)
    for (const oldest of [1, 2]) await expect(toast(page, `Failure ${oldest}.`)).toHaveCount(0)
    await page.unroute('**/users/login')
    await page.clock.runFor(5_000)
    await expect(page.getByText(/^Failure \d+\.$/)).toHaveCount(0)
  })

  await test.step('a success', async () => {
    await submitLogin(page, person)
    const success = toast(page, 'Logged in successfully!')
    await expect(success).toBeVisible()
    await page.clock.runFor(1_500)
    await expect(success).toBeVisible()
    await page.clock.runFor(1_500)
    await expect(success).toBeHidden()
  })
})
