import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { register, resendCode } from '#contract/accounts/accounts.ts'
import { CHALLENGE_HEADER } from '#contract/protocol/challenge.ts'
import { fillRegister, keepToasts } from '../steps/account-steps.ts'
import { recordPageErrors } from '../support/page-messages.ts'
import { hold } from '../support/intercept.ts'
import { newAddress, newPerson } from '../support/people.ts'
import { expect, test } from '../support/product.ts'
import { waitUntilIdle } from '../support/wait-until.ts'

const REGISTER = '**/api/v1/users/register'
const WORKER = /\/assets\/solver\.worker-[^/]+\.js$/

async function sendForm(page: Page) {
  await fillRegister(page, newPerson())
  await page.getByRole('button', { name: 'Create Account' }).click()
}

const puzzle = (page: Page) => page.getByRole('progressbar', { name: 'Puzzle solved' })

test('the browser solves a challenge in a worker when its network is over the rate limit', async ({
  page,
  context,
  product,
}) => {
  const from = newAddress()
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': from })
  // Uses up what the limit allows this network to take.
  for (let calls = 0; calls < (register.limits?.[0]?.take ?? 0); calls += 1)
    expect((await product.call(register, { body: newPerson(), from })).status).toBe(201)
  const solutions: (string | undefined)[] = []
  await page.route(REGISTER, async (route) => {
    const headers = route.request().headers()
    const solution = headers[CHALLENGE_HEADER]
    const isFirstSolution = solution !== undefined && !solutions.some(Boolean)
    solutions.push(solution)
    return route.continue(isFirstSolution ? { headers: { ...headers, [CHALLENGE_HEADER]: 'spoiled' } } : {})
  })

  await test.step('shows the progress, and abandons the call when the form is left meanwhile', async () => {
    const script = await hold(page, WORKER)
    await page.goto('/register')
    await sendForm(page)
    await expect(puzzle(page)).toBeVisible()
    await expect(page.getByRole('status')).toContainText('your device is solving a small puzzle')
    await expect(page.locator('form button[type=submit]')).toBeDisabled()
    await expect(page.getByText('Too many attempts')).toHaveCount(0)
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(puzzle(page)).toHaveCount(0)
    script.release()
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
    await expect(page.getByText(/Too many attempts|failed/)).toHaveCount(0)
  })

  await test.step('creates the account, and solves again when a solution is refused', async () => {
    await page.locator('main a[href="/register"]').click()
    await expect(page).toHaveURL(/\/register$/)
    const worker = page.waitForEvent('worker')
    await sendForm(page)
    expect((await worker).url()).toMatch(WORKER)
    await expect(page).toHaveURL(/\/verify-email$/)
    await expect(puzzle(page)).toHaveCount(0)
    // The abandoned call and the first of this step had no solution; the spoiled one was sent again.
    expect(solutions.map((solution) => solution !== undefined)).toEqual([false, false, true, true])
    expect(solutions[3]).not.toBe(solutions[2])
  })

  await test.step('resends a code', async () => {
    for (let calls = 0; calls < (resendCode.limits?.[0]?.take ?? 0); calls += 1)
      await product.call(resendCode, { body: { email: newPerson().email }, from })
    // Resends to another email, because the one just registered would have to wait.
    await page.evaluate((email) => localStorage.setItem('userEmail', email), newPerson().email)
    await page.reload()
    await keepToasts(page)
    const solutionSent = page.waitForRequest(
      (request) => request.url().endsWith(resendCode.path) && CHALLENGE_HEADER in request.headers(),
    )
    await page.getByRole('button', { name: 'Resend code' }).click()
    await solutionSent
    await expect(page.getByText('OTP resent successfully!')).toBeVisible()
  })
})

/** The counter that solves the challenge. Solvers try 0, 1, 2 … in turn. */
const COUNTER = 3
const KEY_SECRET = 'another secret'
const REFUSAL = 'Too many attempts. Please wait a moment and try again.'

type Payload = { challenge: unknown; solution: { counter: number; derivedKey: string } }

/**
 * Answers a registration without a solution with a challenge. The challenge needs a hundredth of the usual
 * work, because without WebCrypto, the usual work takes seconds.
 * @returns the counters in the solutions that are sent
 */
async function requireSomeWork(page: Page): Promise<number[]> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1_000,
    counter: COUNTER,
    data: { counterBelow: 2 * COUNTER }, // for the progress bar
    deriveKey,
    expiresAt: Math.ceil(Date.now() / 1_000) + 600,
    hmacSignatureSecret: 'a secret',
    hmacKeySignatureSecret: KEY_SECRET,
  })
  const counters: number[] = []
  await page.route(REGISTER, (route) => {
    const header = route.request().headers()[CHALLENGE_HEADER]
    if (header === undefined)
      return route.fulfill({ status: 429, json: { message: REFUSAL, code: 'rate_limited', challenge } })
    const sent = JSON.parse(atob(header)) as Payload
    expect(sent.challenge).toEqual(challenge)
    // The server verifies it in the same way. Only the right counter derives the signed key.
    const key = Buffer.from(sent.solution.derivedKey, 'hex')
    const signature = createHmac('sha256', KEY_SECRET).update(key).digest('hex')
    expect(signature).toBe(challenge.parameters.keySignature)
    counters.push(sent.solution.counter)
    return route.continue()
  })
  return counters
}

test('without workers, the page solves the challenge unless its form has been left', async ({ page }) => {
  const counters = await requireSomeWork(page)

  await test.step('a form that was left before its challenge arrived starts no work in the next form', async () => {
    const call = await hold(page, REGISTER, 'POST')
    const script = await hold(page, WORKER)
    await page.goto('/register')
    await sendForm(page)
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect(page).toHaveURL(/\/login$/)
    const refused = page.waitForResponse(REGISTER)
    call.release()
    await refused
    await page.getByLabel('Email').fill(newPerson().email)
    await waitUntilIdle(page)
    await expect(puzzle(page)).toHaveCount(0)
    await expect(page.getByText(REFUSAL)).toHaveCount(0)
    script.release()
    expect(counters).toEqual([])
  })

  const solver = /\/assets\/solve-[^/]+\.js$/
  const submit = page.getByRole('button', { name: 'Create Account' })
  await test.step('without a worker or the script that solves the challenge, the server’s message is shown', async () => {
    await page.route(WORKER, (route) => route.abort())
    await page.route(solver, (route) => route.abort())
    await page.goto('/register')
    await sendForm(page)
    await expect(page.getByText(REFUSAL)).toBeVisible()
    await expect(puzzle(page)).toHaveCount(0)
    await expect(submit).toBeEnabled()
    expect(counters).toEqual([])
  })

  await test.step('without a worker, the page solves the challenge', async () => {
    await page.unroute(solver)
    await submit.click()
    await expect(page).toHaveURL(/\/verify-email$/)
    expect(counters).toEqual([COUNTER])
  })
})

test('over plain HTTP, the page solves the challenge without WebCrypto', async ({ browser, product }) => {
  const { port } = new URL(product.url)
  // Unlike localhost, this address is not a secure context.
  const context = await browser.newContext({
    baseURL: `http://0.0.0.0:${port}`,
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
  })
  const pageErrors = recordPageErrors(context)
  const page = await context.newPage()
  const counters = await requireSomeWork(page)
  await page.goto('/register')
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([false, false])
  await sendForm(page)
  await expect(page).toHaveURL(/\/verify-email$/)
  expect(counters).toEqual([COUNTER])
  expect(pageErrors).toEqual([])
  await context.close()
})
