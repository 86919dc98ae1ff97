import type { Locator, Page } from '@playwright/test'
import { expect } from '../support/product.ts'

/** More Tab stops than any page has. */
const MAX_PRESSES = 60

/** Presses Tab or Shift+Tab until the target has the focus, which must be visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  // Locating the target again after each press would take as long as the press.
  const handle = await target.elementHandle()
  const isFocused = () => handle?.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < MAX_PRESSES && !(await isFocused()); presses += 1)
    await page.keyboard.press(key)
  await expect(target).toBeFocused()
  expect(await focusProblem(page)).toBeNull()
}

/** Like {@link tabTo}, and then presses Enter. */
export async function press(page: Page, target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await tabTo(page, target, key)
  await page.keyboard.press('Enter')
}

/** Presses Tab until it is back at the first element. Expects the focus to be visible at each. */
export async function expectFocusGoesRound(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  const first = await page.evaluateHandle(() => document.activeElement)
  // After the last element, Tab focuses the first, or the browser's own controls. While these have the focus,
  // `activeElement` is body.
  const hasGoneRound = () =>
    first.evaluate((element) => [element, document.body].includes(document.activeElement as HTMLElement))
  let stops = 0
  do {
    expect(await focusProblem(page), page.url()).toBeNull()
    await page.keyboard.press('Tab')
    stops += 1
  } while (!(await hasGoneRound()))
  // Every page has more than four elements that take the focus.
  expect(stops, page.url()).toBeGreaterThan(4)
}

/** Why the focus is not visible; null if it is, or if nothing has the focus. */
const focusProblem = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return null
    // A checkbox shows the focus on its label.
    const shown = focused.closest('label:has(:focus-visible)') ?? focused
    const name = `${focused.localName} ${focused.ariaLabel ?? focused.textContent.trim()}`
    const ring = [shown, focused].find((element) => getComputedStyle(element).outlineStyle !== 'none')
    if (!ring) return `${name} has no ring`
    const { outlineWidth, outlineOffset } = getComputedStyle(ring)
    const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
    const box = ring.getBoundingClientRect()
    for (let parent = ring.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(parent)
      const frame = parent.getBoundingClientRect()
      if (overflowX !== 'visible' && (box.left - reach < frame.left || box.right + reach > frame.right))
        return `the ring of ${name} is cut off at its side`
      if (overflowY !== 'visible' && (box.top - reach < frame.top || box.bottom + reach > frame.bottom))
        return `the ring of ${name} is cut off above or below`
    }
    const topmost = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    return topmost && (ring.contains(topmost) || topmost.contains(ring)) ? null : `${name} is covered`
  })
