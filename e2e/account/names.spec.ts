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

test.use({ hasTouch: true })

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
  await product.storeSession(page, await product.admin())
  await rename(page, /\/api\/v1\/users\/\?/)
  await page.goto('/dashboard')
  await expectNames(page)
  await expectFits(page, 'dashboard')
  await expectAccessible(page, 'dashboard')
})

test('beside an open card, a handle of usual length stays on one line and the table fits', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const claimant = await product.newClaimant()
  await product.storeSession(page, await product.admin())
  await page.route(/\/review\/claims\?/, async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replaceAll(
      /"(telegram|twitter)":"[^"]+"/g,
      '"$1":"@crypto_anna_2024"',
    )
    await route.fulfill({ response, body: text })
  })
  // By search, because other tests leave more claims than fit on a page.
  await page.goto(`/dashboard?view=waiting&search=${claimant.username}`)
  const row = page.locator('tbody tr').filter({ hasText: claimant.username })
  await row.getByRole('button', { name: claimant.username }).click()
  await expect(page.getByRole('complementary', { name: 'Evidence' })).toBeVisible()
  for (const handle of await row.getByText('@crypto_anna_2024').all())
    expect((await handle.boundingBox())?.height).toBeLessThan(30)
  const action = await row.getByRole('button', { name: 'Verify Task' }).boundingBox()
  const card = await page.getByRole('complementary', { name: 'Evidence' }).boundingBox()
  expect((action?.x ?? Infinity) + (action?.width ?? 0)).toBeLessThanOrEqual(card?.x ?? 0)
  await page.unrouteAll({ behavior: 'wait' })
})

test('the passport fits the longest names and names in other scripts', async ({ page, product }) => {
  await product.storeSession(page, await product.newClaimant())
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
