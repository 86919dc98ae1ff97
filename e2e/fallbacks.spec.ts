import type { Page } from '@playwright/test'
import { createAccounts, EVERY_ROUTE, open } from './checks/every-route.ts'
import { expectFits } from './checks/fit.ts'
import { fillRegister, keepToasts, toast, typeCode } from './steps/account-steps.ts'
import { hold } from './support/intercept.ts'
import { newPerson } from './support/people.ts'
import { expect, test } from './support/product.ts'
import { sessionOf, store, storedValues } from './support/storage.ts'

type AccountForm = {
  path: string
  call: string
  /** The stored values that the screen needs and keeps. */
  keeps?: Record<string, string>
  button: string
  /** The button's name while the call is pending; by default `button`. */
  pending?: string
  fill?: (page: Page) => Promise<void>
  /** What the screen says about a reply without a message. */
  fallback: string
}

const userEmail = newPerson().email
const inReset = { userEmail, resetPasswordToken: 'x'.repeat(43) }

const FORMS: AccountForm[] = [
  {
    path: '/register',
    call: 'register',
    button: 'Create Account',
    fill: (page) => fillRegister(page, newPerson()),
    fallback: 'Registration failed',
  },
  {
    path: '/login',
    call: 'login',
    button: 'Login',
    async fill(page) {
      await page.getByLabel('Email').fill(userEmail)
      await page.getByLabel('Password', { exact: true }).fill('whatever it is')
    },
    fallback: 'Login failed',
  },
  {
    path: '/verify-email',
    call: 'verify-email',
    keeps: { userEmail },
    button: 'Verify Email',
    fill: (page) => typeCode(page, '123456'),
    fallback: 'Verification failed',
  },
  {
    path: '/forgot-password',
    call: 'forgot-password',
    button: 'Send Reset Code',
    fill: (page) => page.getByLabel('Email').fill(userEmail),
    fallback: 'Failed to send reset code',
  },
  {
    path: '/forgot-password-otp',
    call: 'verify-otp',
    keeps: { userEmail },
    button: 'Verify OTP',
    fill: (page) => typeCode(page, '123456'),
    fallback: 'Verification failed',
  },
  {
    path: '/forgot-password-otp',
    call: 'resend-otp',
    keeps: { userEmail },
    button: 'Resend code',
    pending: 'Resending...',
    fallback: 'Failed to resend OTP',
  },
  {
    path: '/reset-password',
    call: 'reset-password',
    keeps: inReset,
    button: 'Reset Password',
    async fill(page) {
      await page.getByLabel('New Password', { exact: true }).fill('gravel lantern')
      await page.getByLabel('Confirm Password', { exact: true }).fill('gravel lantern')
    },
    fallback: 'Failed to reset password',
  },
]

const WITHOUT_MESSAGE = { status: 502, contentType: 'text/html', body: '' }
const CLOSED = { status: 503, json: { message: 'Closed for an hour.', code: 'unavailable' } }

/** Opens a screen with these stored values. The page must already be on the site. */
async function openWith(page: Page, path: string, values: Record<string, string> = {}): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  await page.evaluate(() => localStorage.clear())
  await store(page, values)
  await page.goto(path)
}

test('each account form says why its call failed, and can be sent again', async ({ page }) => {
  await page.goto('/robots.txt')
  for (const { path, call, keeps = {}, button, pending = button, fill, fallback } of FORMS)
    await test.step(`${call}: ‘${fallback}’`, async () => {
      const address = `**/api/v1/users/${call}`
      await openWith(page, path, keeps)
      await fill?.(page)
      await keepToasts(page)
      const submit = page.getByRole('button', { name: button, exact: true })

      // The reply of a broken proxy.
      await page.route(address, (route) => route.fulfill(WITHOUT_MESSAGE))
      const answer = await hold(page, address, 'POST')
      await submit.click()
      await expect(page.getByRole('button', { name: pending, exact: true })).toBeDisabled()
      answer.release()
      await expect(toast(page, fallback)).toHaveCount(1)
      await expect(submit).toBeEnabled()
      await expect(submit, 'the button keeps the focus').toBeFocused()
      await page.route(address, (route) => route.fulfill(CLOSED))
      await submit.click()
      await expect(toast(page, 'Closed for an hour.')).toBeVisible()
      await expect(submit).toBeEnabled()

      await expect(page).toHaveURL(path)
      // The reset screen adds the time since which it has the token.
      const { resetSince: _, ...stored } = await storedValues(page)
      expect(stored).toEqual(keeps)
    })

  await test.step('login: no answer, or a success of an unexpected shape', async () => {
    await openWith(page, '/login')
    await keepToasts(page)
    await page.getByLabel('Email').fill(userEmail)
    await page.getByLabel('Password', { exact: true }).fill('whatever it is')
    const submit = page.getByRole('button', { name: 'Login', exact: true })
    const answers = ['none', null, 'text', { message: 7 }, { token: 7, data: [] }]
    for (const [earlier, json] of answers.entries()) {
      await page.route('**/api/v1/users/login', (route) =>
        json === 'none' ? route.abort() : route.fulfill({ json }),
      )
      await submit.click()
      await expect(toast(page, 'Login failed')).toHaveCount(earlier + 1)
      await expect(submit).toBeEnabled()
    }
    await expect(page).toHaveURL('/login')
    expect(await storedValues(page)).toEqual({})
  })
})

test('pages survive malformed events and answers', async ({ page }) => {
  // An uncaught error fails the test. Unit tests try other malformed prices and events.
  const malformed = '{"pairs":[{"priceUsd":{}}]}'
  const events = ['null', '[]', '{"block":"x"}', malformed].map(
    (data) => `event: heartbeat\ndata: ${data}\n\nevent: slots\ndata: ${data}\n\n`,
  )
  await page.route(/\/api\/v1\/events\?/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: events.join('') }),
  )
  await page.route(/\/api\/v1\/(latest|campaign)/, (route) =>
    route.fulfill({ contentType: 'application/json', body: malformed }),
  )
  await page.goto('/')
  const price = page.locator('#hero .stat-card').filter({ hasText: 'Price' }).locator('dd')
  await expect(price).toHaveText('N/A')
  const streamed = page.waitForResponse(/\/api\/v1\/events\?/)
  await page.goto('/airdrop')
  await streamed
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a failed profile call or logout shows a message and leads to the login', async ({ page, product }) => {
  const participant = await product.newParticipant()
  await product.storeSession(page, participant)
  for (const status of [500, undefined])
    await test.step(`the profile cannot be fetched: ${status ?? 'no answer'}`, async () => {
      await page.route('**/api/v1/users/profile', (route) =>
        status ? route.fulfill({ status, body: '' }) : route.abort(),
      )
      await page.goto('/profile')
      await expect(toast(page, 'Failed to fetch profile. Please login again.')).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
    })

  for (const [answer, words] of [
    ['no message', 'Logout failed'],
    ['no answer', 'Logout failed'],
    ['a message', 'Closed for an hour.'],
  ] as const)
    await test.step(`logout with ${answer}: ‘${words}’`, async () => {
      const drafts = { claimDraft: '{}', appealDraft: '{}' }
      await openWith(page, '/profile', { ...sessionOf(participant), ...inReset, ...drafts })
      await page.route('**/api/v1/users/logout', (route) => {
        if (answer === 'no answer') return route.abort()
        return route.fulfill(answer === 'a message' ? CLOSED : { status: 500, body: '' })
      })
      await page.getByRole('button', { name: 'Logout' }).click()
      await expect(toast(page, words)).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
      expect(await storedValues(page)).toEqual({})
    })
})

/** These have the largest type, the widest figures, a form, a table and the ticket. */
const REPRESENTATIVE = ['/', '/tokenomics', '/howtobuy', '/register', '/leaderboard', '/airdrop']

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true })

  test('renders in system fonts without clipping when web fonts are blocked', async ({ page, product }) => {
    const accounts = await createAccounts(product)
    let blocked = 0
    await page.route('**/*.woff2', (route) => {
      blocked += 1
      return route.abort()
    })
    for (const visit of EVERY_ROUTE.filter(({ path }) => REPRESENTATIVE.includes(path))) {
      await open(page, product, visit, accounts)
      const hasWebFont = await page.evaluate(() =>
        [...document.fonts].some(({ family, status }) => /Variable/.test(family) && status === 'loaded'),
      )
      expect(hasWebFont).toBe(false)
      await expectFits(page, visit.path)
    }
    expect(blocked).toBeGreaterThan(0)
  })
})
