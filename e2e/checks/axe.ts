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

type Rules = NonNullable<RunOptions['runOnly']>
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
/** Themes differ in colors only, so the dark one needs only the rules about colors. */
const RULES: Record<Theme, Rules> = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
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

/** Expects no axe violations in the current page, at the current size and in one theme. */
export async function expectAccessibleIn(
  theme: Theme,
  page: Page,
  state: string,
  within = 'html',
): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // The path of a screen changes before the screen has loaded.
  await expect(page.locator('main').first(), `${state}: the screen`).toBeAttached()
  expect(await violations(page, within, RULES[theme]), `${state}, ${theme}`).toEqual([])
}

/** Injects axe once per page. Pages have no frames, and no enabled rule needs style sheets. */
async function violations(page: Page, within: string, runOnly: Rules) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const options: RunOptions = { runOnly, resultTypes: ['violations'], preload: false, iframes: false }
  const results = await page.evaluate(
    ([selector, runOptions]) => (window as unknown as WithAxe).axe.run(selector, runOptions),
    [within, options] as const,
  )
  return results.violations.map(({ id, nodes }) => ({
    rule: id,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }))
}

type WithAxe = { axe: typeof axe }

/** As {@link expectAccessible}, but on a phone; restores the size of the page afterwards. */
export async function expectAccessibleOnPhone(page: Page, state: string, within = 'html'): Promise<void> {
  const size = page.viewportSize()
  await resize(page, PHONE)
  await expectAccessible(page, state, within)
  if (size) await page.setViewportSize(size)
}
