import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { expect } from '../support/product.ts'

/** A common phone. */
export const PHONE = { width: 390, height: 844 }
/** The narrowest phone, a common phone, a tablet and a desktop. */
const VIEWPORTS = [
  { width: 320, height: 640 },
  PHONE,
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

/** Minified: less than half as large as `axe.source`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** Themes differ in colors only, so the dark one needs only the rules about colors. */
const RULES: Record<Theme, RunOptions> = {
  light: { runOnly: ALL_RULES },
  dark: { runOnly: { type: 'rule', values: COLOR_RULES } },
}

/** As {@link expectAccessible}, but at every width. */
export async function expectAccessibleEverywhere(page: Page, state: string, within = 'html'): Promise<void> {
  for (const [index, viewport] of VIEWPORTS.entries()) {
    await resize(page, viewport)
    // Each width starts in the theme in which the last one ended: changing it costs as much as a small check.
    const themes = index % 2 === 0 ? THEMES : THEMES.toReversed()
    for (const theme of themes)
      await expectAccessibleIn(theme, page, `${state}, ${viewport.width} px`, within)
  }
}

/** Also scrolls to the top: elsewhere, the header may cover part of a link, which axe calls too small. */
async function resize(page: Page, viewport: typeof PHONE): Promise<void> {
  await page.setViewportSize(viewport)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/**
 * Expects no axe violations in the current page, at the current size and in both themes.
 * @param state describes the page in failures.
 * @param within selects the part that differs from a state that is checked elsewhere.
 */
export async function expectAccessible(page: Page, state: string, within = 'html'): Promise<void> {
  for (const theme of THEMES) await expectAccessibleIn(theme, page, state, within)
}

async function expectAccessibleIn(theme: Theme, page: Page, state: string, within: string): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await expectNoViolations(page, `${state}, ${theme}`, within, RULES[theme])
}

/** Expects no axe violations in a translation of a page, whose colors are those of the original. */
export const expectTranslationAccessible = (page: Page, state: string): Promise<void> =>
  expectNoViolations(page, state, 'html', {
    runOnly: ALL_RULES,
    rules: Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])),
  })

/** Injects axe once per page. Skips the only frame, the preview of settings, and CSS, which no rule needs. */
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

/** As {@link expectAccessible}, but on a phone; restores the size of the page afterwards. */
export async function expectAccessibleOnPhone(page: Page, state: string, within = 'html'): Promise<void> {
  const size = page.viewportSize()
  await resize(page, PHONE)
  await expectAccessible(page, state, within)
  if (size) await page.setViewportSize(size)
}
