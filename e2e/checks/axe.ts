import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { expect } from '../support/product.ts'

/** The narrowest phone. Also as wide as a 1280 px desktop at 400 % zoom. */
export const NARROWEST = { width: 320, height: 640 }
export const PHONE = { width: 390, height: 844 }
const TABLET = { width: 768, height: 1024 }
export const DESKTOP = { width: 1440, height: 900 }

/** The minified file, which is less than half as large as `axe.source`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** The dark theme differs only in colors. */
const RULES: Record<Theme, RunOptions> = {
  light: { runOnly: ALL_RULES },
  dark: { runOnly: { type: 'rule', values: COLOR_RULES } },
}

/**
 * Like {@link expectAccessible}, from the narrowest phone to a desktop. The color rules take most of the time
 * and run only at the narrowest and the widest size, because the sizes between them add no colors.
 */
export async function expectAccessibleEverywhere(page: Page, state: string): Promise<void> {
  await resize(page, NARROWEST)
  await expectAccessible(page, `${state}, 320 px`)
  const shownOnNarrowest = await findShown(page)
  await resize(page, PHONE)
  // The same elements with more room cannot break another rule.
  if ((await findShown(page)) !== shownOnNarrowest)
    await expectAccessibleExceptColors(page, `${state}, 390 px`)
  await resize(page, TABLET)
  await expectAccessibleExceptColors(page, `${state}, 768 px`)
  await resize(page, DESKTOP)
  await expectAccessible(page, `${state}, 1440 px`)
}

/** Which elements of the page are shown: a 0 or 1 for each. */
const findShown = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .map((element) => Number(element.checkVisibility({ visibilityProperty: true })))
      .join(''),
  )

/** Scrolls to the top, because axe calls a link too small if the header covers a part of it. */
async function resize(page: Page, viewport: typeof PHONE): Promise<void> {
  await page.setViewportSize(viewport)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/**
 * Expects no axe violations in the current page, at the current size and in both themes.
 * @param state describes the page in failures
 * @param within a selector: limits the check to a part of the page, if the rest is checked elsewhere
 */
export async function expectAccessible(page: Page, state: string, within = 'html'): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await expectNoViolations(page, `${state}, ${theme}`, within, RULES[theme])
  }
}

/** Like {@link expectAccessible}, for a page whose colors are checked elsewhere, such as a translation. */
export const expectAccessibleExceptColors = (page: Page, state: string, within = 'html'): Promise<void> =>
  expectNoViolations(page, state, within, {
    runOnly: ALL_RULES,
    rules: Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])),
  })

/** Does not preload CSS, which no rule needs, and skips frames: the only one is the preview of settings. */
async function expectNoViolations(page: Page, state: string, within: string, rules: RunOptions) {
  // The path of a screen changes before the screen has loaded.
  await expect(page.locator('main').first(), `${state}: the screen`).toBeAttached()
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const options: RunOptions = { ...rules, resultTypes: ['violations'], preload: false, iframes: false }
  const { violations } = await page.evaluate(
    ([selector, runOptions]) => (window as unknown as WithAxe).axe.run(selector, runOptions),
    [within, options] as const,
  )
  const found = violations.map(({ id, nodes }) => ({
    rule: id,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }))
  expect(found, state).toEqual([])
}

type WithAxe = { axe: typeof axe }

/** Like {@link expectAccessible}, but on a phone. Restores the size of the page afterwards. */
export async function expectAccessibleOnPhone(page: Page, state: string, within = 'html'): Promise<void> {
  const size = page.viewportSize()
  await resize(page, PHONE)
  await expectAccessible(page, state, within)
  if (size) await page.setViewportSize(size)
}
