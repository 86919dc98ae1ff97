import type { Page } from '@playwright/test'
import { DESKTOP, expectAccessibleExceptColors, PHONE } from '../checks/axe.ts'
import { expectAccessibleAndFits, expectFits } from '../checks/fit.ts'
import { evidenceCard } from '../steps/dashboard-steps.ts'
import { expect, test } from '../support/product.ts'

const WIDEST = 'W'.repeat(20)
/** The widest possible username, and names in right-to-left scripts. */
const NAMES = [WIDEST, 'السيد عبدالرحمن محمد', 'ירושלים של זהב ונחש']
const WIDE = {
  email: `${'w'.repeat(64)}@${'w'.repeat(60)}.example`,
  telegram: 'W'.repeat(32),
  twitter: 'W'.repeat(15),
}

/** In API replies, replaces the first usernames with `names`, and all emails and handles with `WIDE`. */
async function rename(page: Page, address: RegExp, names: readonly string[]): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const remaining = [...names]
    const json: unknown = JSON.parse(await response.text(), (key, value: unknown) => {
      if (key === 'username') return remaining.shift() ?? value
      return key in WIDE ? WIDE[key as keyof typeof WIDE] : value
    })
    await route.fulfill({ response, json })
  })
}

/** Expects that each name is shown in its own direction, and that the page keeps its direction. */
async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const shown = page.getByRole('main').getByText(name, { exact: true })
    await expect(shown).toBeVisible()
    await expect(shown).toHaveCSS('direction', name === WIDEST ? 'ltr' : 'rtl')
  }
  await expect(page.locator('main')).toHaveCSS('direction', 'ltr')
}

test.use({ hasTouch: true })

test('the longest names, and names in other scripts, fit', async ({ page, product }) => {
  // As many claimants as names. The card of this one is opened below.
  const [claimant] = await Promise.all([
    product.newClaimant(),
    ...NAMES.slice(1).map(() => product.newClaimant()),
  ])

  for (const [path, address, who] of [
    ['/leaderboard', /\/users\/leaderboard/],
    ['/dashboard', /\/api\/v1\/users\/\?/, await product.admin()],
  ] as const)
    await test.step(path, async () => {
      if (who) await product.storeSession(page, who)
      await rename(page, address, NAMES)
      await page.goto(path)
      await expectNames(page, NAMES)
      await expectFits(page, path)
      // Checks even tables that are so wide that they scroll.
      await expectAccessibleExceptColors(page, path, 'main')
    })

  await test.step('beside an open card, a handle of usual length stays on one line and the table fits', async () => {
    await page.setViewportSize(DESKTOP)
    await page.route(/\/review\/claims\?/, async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll(
        /"(telegram|twitter)":"[^"]+"/g,
        '"$1":"@crypto_anna_2024"',
      )
      await route.fulfill({ response, body: text })
    })
    // Other tests may have left more claims than fit on a page.
    await page.goto(`/dashboard?view=waiting&search=${claimant.username}`)
    const row = page.locator('tbody tr').filter({ hasText: claimant.username })
    await row.getByRole('button', { name: claimant.username }).click()
    await expect(evidenceCard(page)).toBeVisible()
    const handles = row.getByText('@crypto_anna_2024')
    await expect(handles).toHaveCount(2)
    // Two lines would be higher.
    for (const handle of await handles.all()) expect((await handle.boundingBox())?.height).toBeLessThan(30)
    const action = (await row.getByRole('button', { name: 'Verify Task' }).boundingBox())!
    const card = (await evidenceCard(page).boundingBox())!
    expect(action.x + action.width).toBeLessThanOrEqual(card.x)
    await page.setViewportSize(PHONE)
    await expectAccessibleAndFits(page, 'a card on a phone', 'main')
  })

  await test.step('/profile', async () => {
    await product.storeSession(page, claimant)
    // One route for all names, because removing a route makes a pending reply fail.
    const names: string[] = []
    await rename(page, /\/users\/profile/, names)
    // The widest name comes last, for `expectFits`.
    for (const name of NAMES.toReversed()) {
      names[0] = name
      await page.goto('/profile')
      await expectNames(page, [name])
    }
    await expectFits(page, '/profile')
    await expectAccessibleExceptColors(page, '/profile', 'main')
  })
  await page.unrouteAll({ behavior: 'wait' })
})
