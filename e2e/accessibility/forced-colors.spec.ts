import type { Locator, Page } from '@playwright/test'
import { startClaim } from '../steps/airdrop-steps.ts'
import { rows } from '../steps/dashboard-steps.ts'
import { tabTo } from '../checks/focus.ts'
import { expect, test } from '../support/product.ts'

/** The system forces white on black, whatever theme is chosen. */
test.use({ colorScheme: 'dark', contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } })

const styleOf = (shown: Locator, property: string): Promise<string> =>
  shown.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

const paperColor = (page: Page) => styleOf(page.locator('body'), 'background-color')

async function expectDistinct(one: Locator, other: Locator, property = 'background-color'): Promise<void> {
  // Polls, because a click takes effect only once the page is hydrated.
  const areEqual = async () => (await styleOf(one, property)) === (await styleOf(other, property))
  await expect.poll(areEqual).toBe(false)
}

test('forced colors show what is current, done, disabled or focused', async ({ page, product }) => {
  await test.step('on a page: current page, theme, drawings, stamps and focus', async () => {
    await page.goto('/roadmap')
    const links = page.locator('header nav')
    await expectDistinct(
      links.getByRole('link', { name: 'Roadmap' }),
      links.getByRole('link', { name: 'About' }),
      'border-block-end-color',
    )
    const themes = page.getByRole('group', { name: 'Theme' })
    // Even with the light theme, drawings stay visible on the system's black.
    for (const theme of ['Light', 'System']) {
      await themes.getByRole('button', { name: theme }).click()
      await expectDistinct(
        themes.getByRole('button', { name: theme }),
        themes.getByRole('button', { name: 'Dark' }),
      )
      const pulse = page.locator('footer .pulse')
      expect(await styleOf(pulse.locator('path'), 'stroke')).not.toBe(await paperColor(page))
      expect(await styleOf(page.locator('.stop-mark .stroke-ink').first(), 'stroke')).not.toBe(
        await paperColor(page),
      )
    }
    // Stamps are statuses in a frame, such as “Verified”.
    const stamps = page.locator('.stamp')
    await expect(stamps).not.toHaveCount(0)
    for (const stamp of await stamps.all()) {
      await expect(stamp).toHaveCSS('border-style', 'solid')
      await expect(stamp).toHaveText(/\w/)
      expect(await styleOf(stamp, 'border-color')).not.toBe(await paperColor(page))
    }
    const about = page.locator('header').getByRole('link', { name: 'About' })
    await tabTo(page, about, 'Shift+Tab')
    expect(await styleOf(about, 'outline-color')).not.toBe(await paperColor(page))
  })

  await test.step('on the way to a claim: current step, completed step and disabled buttons', async () => {
    await product.storeSession(page, await product.newParticipant())
    await startClaim(page)
    // The first of three steps is done, and the second is current.
    const steps = page.locator('main ol').first().getByRole('listitem')
    await expectDistinct(steps.nth(1), steps.nth(0))
    await expectDistinct(steps.nth(1), steps.nth(2))
    await expect(steps.nth(0)).toContainText('Done')
    await expect(steps.nth(1)).toHaveAttribute('aria-current', 'step')

    const continueButton = page.getByRole('button', { name: /Complete All Tasks/ })
    await expectDistinct(continueButton, page.getByRole('button', { name: 'Back' }), 'color')
    await expect(continueButton).toHaveCSS('border-style', 'solid')
  })

  await test.step('on the dashboard: current view and open row', async () => {
    await Promise.all([product.newClaimant(), product.newClaimant()])
    await product.openAs(page, await product.admin(), '/dashboard')
    const views = page.getByRole('group', { name: 'Which claims' })
    await expectDistinct(
      views.getByRole('button', { name: 'All' }),
      views.getByRole('button', { name: 'Decided' }),
    )
    await rows(page).first().getByRole('button').first().click()
    await expect(rows(page).first()).toHaveAttribute('aria-current', 'true')
    await expectDistinct(rows(page).first(), rows(page).nth(1), 'box-shadow')
  })
})
