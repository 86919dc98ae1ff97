import type { Page } from '@playwright/test'
import { expectAccessible } from '../checks/axe.ts'
import { expectFits } from '../checks/fit.ts'
import { expect, test } from '../support/product.ts'

/** Names of maximal length and width, and names in right-to-left scripts. */
const WIDEST = 'W'.repeat(20)
const NAMES = [WIDEST, 'السيد عبدالرحمن محمد', 'ירושלים של זהב ונחש']
const WIDE = {
  email: `${'w'.repeat(64)}@${'w'.repeat(60)}.example`,
  telegram: 'W'.repeat(32),
  twitter: 'W'.repeat(15),
}

/** Replaces the first names, and all handles, in replies of the API. */
async function rename(page: Page, address: RegExp, names = NAMES): Promise<void> {
  await page.route(address, async (route) => {
    const answer = await route.fetch()
    const left = [...names]
    const json: unknown = JSON.parse(await answer.text(), (key, value: unknown) => {
      if (key === 'username') return left.shift() ?? value
      return key in WIDE ? WIDE[key as keyof typeof WIDE] : value
    })
    await route.fulfill({ response: answer, json })
  })
}

/** Expects that each name has its own direction and leaves the page's layout unchanged. */
async function expectNames(page: Page, names = NAMES): Promise<void> {
  for (const name of names) {
    const shown = page.getByRole('main').getByText(name, { exact: true })
    await expect(shown).toBeVisible()
    await expect(shown).toHaveCSS('direction', name === WIDEST ? 'ltr' : 'rtl')
  }
  await expect(page.locator('main')).toHaveCSS('direction', 'ltr')
}

test.use({ hasTouch: true, contextOptions: { reducedMotion: 'reduce' } })

test('the leaderboard fits the longest names and names in other scripts', async ({ page, product }) => {
  await Promise.all(NAMES.map(() => product.newClaimant()))
  await rename(page, /\/users\/leaderboard/)
  await page.goto('/leaderboard')
  await expectNames(page)
  await expectFits(page, 'leaderboard')
  await expectAccessible(page, 'leaderboard')
})

test('the dashboard fits the longest names and names in other scripts', async ({ page, product }) => {
  await Promise.all(NAMES.map(() => product.newClaimant()))
  await product.signIn(page, await product.admin())
  await rename(page, /\/api\/v1\/users\/\?/)
  await page.goto('/dashboard')
  await expectNames(page)
  await expectFits(page, 'dashboard')
  await expectAccessible(page, 'dashboard')
})

test('the passport fits the longest names and names in other scripts', async ({ page, product }) => {
  await product.signIn(page, await product.newClaimant())
  // One route for all: removing it while a reply is under way would fail that reply.
  const shown: string[] = []
  await rename(page, /\/users\/profile/, shown)
  for (const name of NAMES) {
    shown[0] = name
    await page.goto('/profile')
    await expectNames(page, [name])
    await expectFits(page, name)
  }
  await expectAccessible(page, 'passport')
})
