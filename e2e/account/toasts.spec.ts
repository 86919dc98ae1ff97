import { pauseClock, submitLogin, toast } from '../steps/account-steps.ts'
import { expect, test } from '../support/product.ts'

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
