import type { Locator, Page } from '@playwright/test'
import { expect } from '../support/product.ts'

/** The six boxes of a code screen, in order. */
export const boxes = (page: Page): Locator => page.getByRole('textbox', { name: /^Digit \d$/ })

/** Expects these six values; `_` is an empty box. */
export async function expectBoxes(page: Page, values: string): Promise<void> {
  await expect(boxes(page)).toHaveCount(6)
  for (const [box, value] of [...values].entries())
    await expect(boxes(page).nth(box)).toHaveValue(value === '_' ? '' : value)
}

/** Types a code from the first box on. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await boxes(page).first().click()
  await page.keyboard.type(code)
  await expectBoxes(page, code)
}

/** A code that differs from this one. */
export const differentCode = (code: string): string =>
  String((Number(code) + 1) % 1_000_000).padStart(code.length, '0')

/**
 * Pauses the page's clock, which must be installed, half a minute ahead: it cannot be paused in the past.
 * `advanceUntil` and `page.clock.runFor` advance it.
 */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 30_000)
}

/** Advances the paused clock in steps of 2 ms until the target is visible. */
export async function advanceUntil(page: Page, target: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(2)
    await expect(target).toBeVisible({ timeout: 100 })
  }).toPass({ timeout: 90_000, intervals: [50] })
}
