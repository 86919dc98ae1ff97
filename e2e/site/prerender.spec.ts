import type { Page } from '@playwright/test'
import { fakePrerendering, showPrerendered } from '../steps/page-steps.ts'
import { expect, test } from '../support/product.ts'
import { waitUntilHydrated, waitUntilIdle } from '../support/wait-until.ts'

/** Opens Home and records prerendering attempts. DevTools report the attempts and cancel them. */
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

test('prerenders a hovered link to another page, but not to an application screen or to the page itself', async ({
  page,
}) => {
  const attempts = await watchAttempts(page)
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'Airdrop' }).hover()
  await header.getByRole('link', { name: 'My Profile' }).hover()
  await page.getByRole('link', { name: 'Learn More' }).hover()
  for (const home of await page.locator('a[href="/"]:visible').all()) await home.hover()
  await header.getByRole('link', { name: 'About' }).hover() // last, so that earlier attempts are known
  await expect.poll(() => attempts).toContain('/about')
  expect(new Set(attempts)).toEqual(new Set(['/about']))
})

test('a prerendered page makes no calls, hydrates and stores nothing until it is shown', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => {
    // The script `islands` hydrates a page.
    if (/\/api\/|islands/.test(request.url())) calls.push(request.url())
  })
  await fakePrerendering(page)
  await page.goto('/?ref=AHEAD22222')
  await waitUntilIdle(page)
  expect(calls).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('referral'))).toBeNull()

  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await showPrerendered(page)
  await waitUntilHydrated(page)
  await waitUntilIdle(page)
  await expect.poll(() => calls.filter((url) => url.includes('/dex/tokens/'))).toHaveLength(1)
  expect(await page.evaluate(() => localStorage.getItem('referral'))).toBe('AHEAD22222')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
