import type { Locator, Page } from '@playwright/test'
import { expect } from './product.ts'

/** The six boxes of a code screen, in order. */
export const boxes = (page: Page): Locator => page.getByRole('textbox', { name: /^Digit \d$/ })

/** The six digits as they stand; an empty box is an empty text. */
export async function expectBoxes(page: Page, digits: string[]): Promise<void> {
  await expect(boxes(page)).toHaveCount(6)
  for (const [box, digit] of digits.entries()) await expect(boxes(page).nth(box)).toHaveValue(digit)
}

/** Types a code as a person does, from the first box on. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await boxes(page).first().click()
  await page.keyboard.type(code)
  await expectBoxes(page, [...code])
}

/** A code that is not this one. */
export const anotherCode = (code: string): string =>
  String((Number(code) + 1) % 1_000_000).padStart(code.length, '0')

/** Stops the page's clock, which must be installed; `runUntil` and `page.clock.runFor` move it on. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
}

/** Lets the stopped clock run in steps of a few milliseconds until something is seen. */
export async function runUntil(page: Page, seen: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(2)
    await expect(seen).toBeVisible({ timeout: 100 })
  }).toPass({ timeout: 15_000, intervals: [50] })
}

/** Follows a countdown on a stopped clock, second by second, to its end. */
export async function followCountdown(page: Page, from: number): Promise<void> {
  for (let left = from; left > 0; left -= 1) {
    const waiting = page.getByRole('button', { name: `Resend in ${left}s`, exact: true })
    await expect(waiting).toBeDisabled()
    await page.clock.runFor(1_000)
  }
  await expect(page.getByRole('button', { name: 'Resend code' })).toBeEnabled()
}
