import { register } from '#contract/accounts/accounts.ts'
import { createAccounts, EVERY_ROUTE, open, rested, waitUntilRendered } from './checks/every-route.ts'
import { newAddress, newPerson } from './support/people.ts'
import { expect, test } from './support/product.ts'
import { store } from './support/storage.ts'

// Animations have to keep to the policy, too.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** Markup that would leave a trace if any screen rendered it. */
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

test('no route calls another origin, logs an error or violates its policy', async ({ page, product }) => {
  const accounts = await createAccounts(product)
  const elsewhere: string[] = []
  const logged: string[] = []
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== product.url && protocol !== 'data:') elsewhere.push(request.url())
  })
  page.on('console', (message) => {
    // Chromium warns of a preloaded font when a busy machine takes seconds to draw the first text.
    const isLate = message.text().includes('was preloaded using link preload but not used')
    if (['error', 'warning'].includes(message.type()) && !isLate) logged.push(message.text())
  })
  for (const visit of EVERY_ROUTE) {
    await open(page, product, visit, accounts)
    await rested(page)
    const policy = (await page.request.get(visit.path)).headers()['content-security-policy']
    expect(policy, visit.path).toContain("script-src 'self'; style-src 'self'")
    expect(await page.locator('[style]:not(main *), script:not([src]):not([type$="json"])').count()).toBe(0)
  }
  expect(elsewhere).toEqual([])
  expect(logged).toEqual([])
  // As the privacy page states.
  expect(await page.context().cookies()).toEqual([])
})

test('shows stored values as plain text', async ({ page, product }) => {
  await store(page, { userEmail: MARKUP })
  for (const path of ['/verify-email', '/forgot-password-otp']) {
    await page.goto(path)
    await waitUntilRendered(page)
    await expect(page.getByText(MARKUP)).toBeVisible()
    await expect(page.locator('main img, main script')).toHaveCount(0)
  }
  // A session and a draft that were tampered with are ignored.
  const participant = await product.newParticipant()
  await product.signIn(page, participant)
  await page.evaluate((text) => {
    localStorage.setItem('user', text)
    localStorage.setItem('claimDraft', text)
    localStorage.setItem('theme', text)
  }, MARKUP)
  await page.goto('/airdrop')
  await expect(page.getByRole('button', { name: 'Claim Now' })).toBeEnabled()
  await page.goto('/profile')
  await expect(page.getByText(participant.username).first()).toBeVisible()
})

test('shows an email full of punctuation verbatim', async ({ page, product }) => {
  const person = { ...newPerson(), email: `'&{}\`$#!?*=/|~^+-_@${Date.now()}.mail.example` }
  const { status } = await product.call(register, { body: person, from: newAddress() })
  expect(status).toBe(201)
  await page.goto('/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/verify-email')
  await expect(page.getByText(person.email)).toBeVisible()
})

test('markup in the address is not rendered', async ({ page }) => {
  await page.goto(`/leaderboard?page=${encodeURIComponent(MARKUP)}`)
  await waitUntilRendered(page)
  await expect(page.getByText(MARKUP)).toHaveCount(0)
  await page.goto(`/register?ref=${encodeURIComponent(MARKUP)}`)
  await waitUntilRendered(page)
  await expect(page.locator('main img, main script')).toHaveCount(0)
  const response = await page.goto(`/${encodeURIComponent(MARKUP)}`)
  expect(response?.status()).toBe(404)
  await expect(page.locator('main img, main script')).toHaveCount(0)
})

test('forbids framing, and opened tabs have no opener', async ({ page, product }) => {
  const { headers } = await fetch(product.url)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  for (const { path } of EVERY_ROUTE.filter(({ standalone, who }) => !standalone && !who)) {
    await page.goto(path)
    await waitUntilRendered(page)
    for (const link of await page.locator('a[target="_blank"]').all())
      await expect(link).toHaveAttribute('rel', /noopener/)
    await expect(page.locator('a[href^="http"]:not([target="_blank"])')).toHaveCount(0)
  }
})
