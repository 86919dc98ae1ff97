import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './product.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
export const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

/** Expects that axe finds nothing, in light and dark, in the page as it stands on a phone and on a desk. */
export async function expectAccessibleEverywhere(page: Page, state: string): Promise<void> {
  for (const { width, height } of [PHONE, DESK]) {
    await page.setViewportSize({ width, height })
    await expectAccessible(page, `${state}, ${width} px`)
  }
}

/** The same at the size that the page has. `state` says in a failure what was looked at. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await violations(whole(page).withTags(RULES)), `${state}, light`).toEqual([])
  // A theme changes colours and nothing else.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  expect(await violations(whole(page).withRules('color-contrast')), `${state}, dark`).toEqual([])
}

/** The page has no frames, so nothing has to be gathered from them in a page of axe's own. */
const whole = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })

async function violations(axe: AxeBuilder) {
  const found = await axe.analyze()
  return found.violations.map(({ id, nodes }) => ({
    rule: id,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`),
  }))
}
