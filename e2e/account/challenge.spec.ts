import type { Page } from '@playwright/test'
import { register, resendCode } from '#contract/accounts/accounts.ts'
import { CHALLENGE_HEADER } from '#contract/protocol/challenge.ts'
import { fillRegister, keepToasts } from '../steps/account-steps.ts'
import { recordPageErrors } from '../support/clean-console.ts'
import { hold } from '../support/held-calls.ts'
import { newAddress, newPerson } from '../support/people.ts'
import { expect, type Product, test } from '../support/product.ts'

const REGISTER = '/api/v1/users/register'
const WORKER = /\/assets\/solver\.worker-[^/]+\.js$/

/** Uses up the rate limit of a network. */
async function useUp(product: Product, from: string) {
  for (let calls = 0; calls < (register.limits?.[0]?.take ?? 0); calls += 1) {
    const { status } = await product.call(register, { body: newPerson(), from })
    expect(status).toBe(201)
  }
}

async function sendForm(page: Page) {
  await page.goto('/register')
  await fillRegister(page, newPerson())
  await page.getByRole('button', { name: 'Create Account' }).click()
}

const puzzle = (page: Page) => page.getByRole('progressbar', { name: 'Puzzle solved' })

test.describe('a network over its rate limit', () => {
  let from = ''
  test.beforeEach(async ({ context, product }) => {
    from = newAddress()
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': from })
    await useUp(product, from)
  })

  test('solves the challenge in a worker, shows progress and creates the account', async ({ page }) => {
    const script = await hold(page, WORKER)
    const worker = page.waitForEvent('worker')
    await sendForm(page)
    await expect(puzzle(page)).toBeVisible()
    await expect(page.getByRole('status')).toContainText('your device is solving a small puzzle')
    await expect(page.locator('form button[type=submit]')).toBeDisabled()
    await expect(page.getByText('Too many attempts')).toHaveCount(0)
    script.release()
    expect((await worker).url()).toMatch(WORKER)
    await expect(page).toHaveURL(/\/verify-email$/)
    await expect(puzzle(page)).toHaveCount(0)
  })

  test('solves the challenge on the page when workers are unavailable', async ({ page }) => {
    await page.route(WORKER, (route) => route.abort())
    await sendForm(page)
    await expect(page).toHaveURL(/\/verify-email$/)
  })

  test('shows the server’s message when the solver cannot be loaded', async ({ page }) => {
    await page.route(/\/assets\/(solver\.worker|solve|work)-[^/]+\.js$/, (route) => route.abort())
    await sendForm(page)
    await expect(page.getByText('Too many attempts. Please wait a moment and try again.')).toBeVisible()
    await expect(puzzle(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Create Account' })).toBeEnabled()
  })

  test('solves again when the solution is refused', async ({ page }) => {
    const sent: (string | undefined)[] = []
    await page.route(`**${REGISTER}`, async (route) => {
      const solution = route.request().headers()[CHALLENGE_HEADER]
      sent.push(solution)
      if (sent.length !== 2) return route.continue()
      return route.continue({ headers: { ...route.request().headers(), [CHALLENGE_HEADER]: 'spoilt' } })
    })
    await sendForm(page)
    await expect(page).toHaveURL(/\/verify-email$/)
    expect(sent.map((solution) => typeof solution)).toEqual(['undefined', 'string', 'string'])
    expect(sent[2]).not.toBe(sent[1])
  })

  test('abandons the call when the form is left while solving', async ({ page }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith(REGISTER)) sent.push(request.url())
    })
    const script = await hold(page, WORKER)
    await sendForm(page)
    await expect(puzzle(page)).toBeVisible()
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(puzzle(page)).toHaveCount(0)
    script.release()
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
    await expect(page.getByText(/Too many attempts|failed/)).toHaveCount(0)
    expect(sent).toHaveLength(1)
  })
})

test('solves the challenge over plain HTTP, without WebCrypto', async ({ browser, product }) => {
  const from = newAddress()
  await useUp(product, from)
  const { port } = new URL(product.url)
  // Unlike localhost, this address is no secure context.
  const context = await browser.newContext({
    baseURL: `http://0.0.0.0:${port}`,
    extraHTTPHeaders: { 'x-forwarded-for': from },
  })
  const complaints = recordPageErrors(context)
  const page = await context.newPage()
  await page.goto('/register')
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([false, false])
  await sendForm(page)
  // A million hashes in JavaScript are slow on a busy machine.
  await expect(page).toHaveURL(/\/verify-email$/, { timeout: 120_000 })
  expect(complaints).toEqual([])
  await context.close()
})

test('does not load the solver below the rate limit', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await sendForm(page)
  await expect(page).toHaveURL(/\/verify-email$/)
  expect(scripts.filter((url) => /\/(solve|work|solver)[.-][^/]*\.js$/.test(url))).toEqual([])
})

test('resends a code for a solved challenge over the rate limit', async ({ page, context, product }) => {
  const from = newAddress()
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': from })
  for (let calls = 0; calls < (resendCode.limits?.[0]?.take ?? 0); calls += 1)
    await product.call(resendCode, { body: { email: newPerson().email }, from })
  const { email } = newPerson()
  await page.goto('/login')
  await page.evaluate((address) => localStorage.setItem('userEmail', address), email)
  await page.goto('/verify-email')
  await keepToasts(page)
  const solved = page.waitForRequest(
    (request) => request.url().endsWith(resendCode.path) && CHALLENGE_HEADER in request.headers(),
  )
  await page.getByRole('button', { name: 'Resend code' }).click()
  await solved
  await expect(page.getByText('OTP resent successfully!')).toBeVisible()
})
