import type { Page } from '@playwright/test'
import { expect, test } from './product.ts'

/** The attempts that a browser makes after the pointer has rested on a link; DevTools, which see them, end them. */
async function watchAttempts(page: Page): Promise<string[]> {
  const attempts: string[] = []
  const devTools = await page.context().newCDPSession(page)
  devTools.on('Preload.prerenderStatusUpdated', ({ key }) => attempts.push(new URL(key.url).pathname))
  const understood = new Promise<void>((resolve, reject) =>
    devTools.on('Preload.ruleSetUpdated', ({ ruleSet }) =>
      ruleSet.errorMessage ? reject(new Error(ruleSet.errorMessage)) : resolve(),
    ),
  )
  await devTools.send('Preload.enable')
  await page.goto('/')
  await understood
  return attempts
}

test('a link to a page is opened as soon as somebody points at it, a link to a screen is not', async ({
  page,
}) => {
  const attempts = await watchAttempts(page)
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'Airdrop' }).hover()
  await header.getByRole('link', { name: 'My Profile' }).hover()
  await page.getByRole('link', { name: 'Learn More' }).hover()
  for (const home of await page.locator('a[href="/"]:visible').all()) await home.hover()
  await header.getByRole('link', { name: 'About' }).hover()
  await expect.poll(() => attempts).toContain('/about')
  expect(new Set(attempts)).toEqual(new Set(['/about']))
})

/** The page as a browser opens it ahead of its visitor. */
const openedAhead = () =>
  Object.defineProperty(document, 'prerendering', { get: () => !('seen' in window), configurable: true })
const seen = () => {
  Object.assign(window, { seen: true })
  document.dispatchEvent(new Event('prerenderingchange'))
}

test('a page that nobody sees yet asks for no price, follows no chain and keeps nothing', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (/\/api\/|islands/.test(request.url())) calls.push(request.url())
  })
  await page.addInitScript(openedAhead)
  await page.goto('/?ref=AHEAD')
  // When the browser rests for the third time, everything that waits for a rest has had its turn.
  await page.evaluate(async () => {
    for (let rests = 0; rests < 3; rests += 1) await new Promise((done) => requestIdleCallback(done))
  })
  expect(calls).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('referral'))).toBeNull()

  const streaming = page.waitForRequest(/\/events\?/)
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.evaluate(seen)
  await streaming
  expect(calls.filter((url) => url.includes('/dex/tokens/'))).toHaveLength(1)
  expect(await page.evaluate(() => localStorage.getItem('referral'))).toBe('AHEAD')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
