import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { expect } from '../support/product.ts'

/** A common phone. */
export const PHONE = { width: 390, height: 844 }
const NARROWEST = { width: 320, height: 640 }
const TABLET = { width: 768, height: 1024 }
const DESKTOP = { width: 1440, height: 900 }

/** Less than half of `axe.source`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Rules = NonNullable<RunOptions['runOnly']>
/** The rules about colors, which take most of the time. */
const COLORS = ['color-contrast', 'link-in-text-block']
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
/** Themes differ in colors only, so the second one needs no other rules. */
const RULES: Record<Theme, Rules> = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  dark: { type: 'rule', values: COLORS },
}

/** The rules whose outcome depends on how wide the page is, even if it shows the same elements. */
const GEOMETRY: Rules = { type: 'rule', values: ['scrollable-region-focusable', 'target-size'] }

/**
 * As {@link expectAccessible}, but at every width. The style sheets hide elements below a width or above one, so each
 * element that the page shows is there at the narrowest or the widest, in the same colors: both have all rules in both
 * themes. A common phone has the layout of the narrowest, so only what depends on its size is examined again.
 */
export async function expectAccessibleEverywhere(page: Page, state: string, within = 'html'): Promise<void> {
  const at = ({ width }: typeof PHONE) => `${state}, ${width} px`
  await resize(page, NARROWEST)
  await expectAccessible(page, at(NARROWEST), within)
  await resize(page, PHONE)
  await expectNoViolations(page, at(PHONE), within, { runOnly: GEOMETRY })
  await resize(page, TABLET)
  await expectAccessibleIn('light', page, at(TABLET), within)
  await resize(page, DESKTOP)
  await expectAccessible(page, at(DESKTOP), within)
}

/** Scrolls to the top, too: elsewhere, the header may cover part of a link, which axe takes for a small target. */
async function resize(page: Page, viewport: typeof PHONE): Promise<void> {
  await page.setViewportSize(viewport)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/**
 * Expects no axe violations in the current page, at the current size and in both themes. `state` describes the
 * page in failures; `within` selects the part that differs from a state that is checked elsewhere.
 */
export async function expectAccessible(page: Page, state: string, within = 'html'): Promise<void> {
  for (const theme of THEMES) await expectAccessibleIn(theme, page, state, within)
}

async function expectAccessibleIn(theme: Theme, page: Page, state: string, within = 'html'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await expectNoViolations(page, `${state}, ${theme}`, within, { runOnly: RULES[theme] })
}

/**
 * Expects no axe violations in the current page, at the current size, for a page whose English original is checked in
 * both themes: colors are the same in every language.
 */
export const expectAccessibleInTranslation = (page: Page, state: string): Promise<void> =>
  expectNoViolations(page, state, 'html', {
    runOnly: RULES.light,
    rules: Object.fromEntries(COLORS.map((rule) => [rule, { enabled: false }])),
  })

async function expectNoViolations(page: Page, state: string, within: string, rules: RunOptions) {
  // The path of a screen changes before the screen has loaded.
  await expect(page.locator('main').first(), `${state}: the screen`).toBeAttached()
  expect(await violations(page, within, rules), state).toEqual([])
}

/** Injects axe once per page. Pages have no frames, and no enabled rule needs style sheets. */
async function violations(page: Page, within: string, rules: RunOptions) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const options: RunOptions = { ...rules, resultTypes: ['violations'], preload: false, iframes: false }
  const found = await page.evaluate(([part, given]) => (window as unknown as Tested).axe.run(part, given), [
    within,
    options,
  ] as const)
  return found.violations.map(({ id, nodes }) => ({
    rule: id,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }))
}

type Tested = { axe: typeof axe }

/** As {@link expectAccessible}, but on a phone; then the page is as large as before. */
export async function expectAccessibleOnPhone(page: Page, state: string, within = 'html'): Promise<void> {
  const before = page.viewportSize()
  await resize(page, PHONE)
  await expectAccessible(page, state, within)
  if (before) await page.setViewportSize(before)
}
