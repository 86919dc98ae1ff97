import type { Page } from '@playwright/test'
import axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { expect } from '../support/product.ts'

/** The narrowest phone, a common phone, a tablet and a desktop. */
const WIDTHS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const
export const PHONE = WIDTHS[1]

type Rules = NonNullable<RunOptions['runOnly']>
const EVERY_RULE: Rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Themes differ in colors only, so the second one needs no other rules. */
const RULES_OF_COLOR: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Expects no axe violations in the current page, at every width and in both themes. */
export async function expectAccessibleEverywhere(page: Page, state: string): Promise<void> {
  for (const viewport of WIDTHS) {
    await page.setViewportSize(viewport)
    await expectAccessible(page, `${state}, ${viewport.width} px`)
  }
}

/**
 * The same at the current size only. `state` describes the page in failures; `within` selects the part that differs
 * from a state that is checked elsewhere.
 */
export async function expectAccessible(page: Page, state: string, within = 'html'): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await violations(page, within, EVERY_RULE), `${state}, light`).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await violations(page, within, RULES_OF_COLOR), `${state}, dark`).toEqual([])
}

/** Injects axe, half a megabyte, once per page. Pages have no frames, and no enabled rule needs style sheets. */
async function violations(page: Page, within: string, runOnly: Rules) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const options: RunOptions = { runOnly, resultTypes: ['violations'], preload: false, iframes: false }
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
