import type { Page } from '@playwright/test'
import { DESKTOP, expectAccessible, NARROWEST, PHONE } from './axe.ts'
import { expect } from '../support/product.ts'

/** A 1280 px desktop at 200 % zoom. */
const ENLARGED = { width: 640, height: 512 }

/**
 * Expects that the current page clips nothing on the narrowest phone, at 200 % zoom, and with text at 200 %.
 * Also expects that touch targets on a phone are large enough, and that nothing moves, so the page must
 * prefer reduced motion. Leaves the page at the size of `PHONE`.
 */
export async function expectFits(page: Page, state: string): Promise<void> {
  await page.setViewportSize(NARROWEST)
  expect(await findClipped(page), `${state}, 320 px`).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await findSmallTargets(page), `${state}, targets`).toEqual([])
  expect(await findAnimations(page), `${state}, reduced motion`).toEqual([])
  await page.setViewportSize(ENLARGED)
  expect(await findClipped(page), `${state}, 200 %`).toEqual([])
  await withLargeText(page, async () => {
    expect(await findClipped(page), `${state}, text at 200 %`).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await findClipped(page), `${state}, text at 200 % on a phone`).toEqual([])
  })
}

export async function expectAccessibleAndFits(page: Page, state: string, within?: string): Promise<void> {
  await expectAccessible(page, state, within)
  await expectFits(page, state)
}

/** Expects that the current page clips nothing on a phone with text at 200 %. Leaves it at the size of `PHONE`. */
export async function expectLargeTextFits(page: Page, state: string): Promise<void> {
  await page.setViewportSize(PHONE)
  await withLargeText(page, async () => expect.soft(await findClipped(page), state).toEqual([]))
}

/** Expects that the current page clips nothing on the narrowest phone and on a desktop. */
export async function expectNothingClipped(page: Page, state: string): Promise<void> {
  for (const viewport of [NARROWEST, DESKTOP]) {
    await page.setViewportSize(viewport)
    expect.soft(await findClipped(page), `${state}, ${viewport.width} px`).toEqual([])
  }
}

/** Sets the text size in the browser's preferences to 200 % during the check. */
export async function withLargeText(page: Page, check: () => Promise<void>): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  await check()
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
  await devTools.detach()
}

/** Elements that overflow the window, and text clipped by its container. */
const findClipped = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    // Text for screen readers only is clipped on purpose, and decorations may overflow.
    const isUnseen = (element: Element | null): boolean =>
      element !== null &&
      (element.ariaHidden === 'true' ||
        getComputedStyle(element).clipPath.startsWith('inset(50%') ||
        isUnseen(element.parentElement))
    const sticksOut = (element: HTMLElement) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (right > edge + 0.5 || left < -0.5)
    }
    const cutsOff = (element: HTMLElement) => {
      const { overflowX, overflowY, lineHeight } = getComputedStyle(element)
      // Glyphs may overflow a tight line height. (The line height `normal` is not a number.)
      const tolerance = Number.parseFloat(lineHeight) / 2 || 1
      const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
      return (
        ((clips(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (clips(overflowY) && element.scrollHeight > element.clientHeight + tolerance)) &&
        element.textContent.trim() !== ''
      )
    }
    // Focusable tables and code may scroll sideways.
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      ((element.matches('[tabindex="0"]') && getComputedStyle(element).overflowX === 'auto') ||
        scrolls(element.parentElement))
    const overflowing = [...document.body.querySelectorAll<HTMLElement>('*:not(svg *)')].filter(
      (element) =>
        (sticksOut(element) || cutsOff(element)) &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !scrolls(element.parentElement) &&
        !isUnseen(element),
    )
    const innermost = overflowing.filter(
      (element) => !overflowing.some((other) => other !== element && element.contains(other)),
    )
    const descriptions = innermost.map(
      ({ localName, className, textContent }) => `${localName}.${className}: ${textContent.slice(0, 40)}`,
    )
    if (document.documentElement.scrollWidth > edge) descriptions.push('the page scrolls sideways')
    return descriptions
  })

/** Touch targets below 44 by 44 px, rounded, except inline links. */
const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => !control.closest('.sr-only') && getComputedStyle(control).display !== 'inline')
      // The label of a checkbox is part of its target.
      .map((control) => ({ control, box: (control.closest('label') ?? control).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 43.5 || box.height < 43.5)
      .map(({ control, box }) => `${control.ariaLabel ?? control.textContent}: ${box.width} × ${box.height}`),
  )

/** Running animations of a perceptible duration. */
const findAnimations = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ playState, effect }) =>
          playState === 'running' && Number(effect?.getComputedTiming().activeDuration) > 1,
      )
      .map(({ effect }) =>
        (effect instanceof KeyframeEffect ? (effect.target?.outerHTML ?? '') : '').slice(0, 80),
      ),
  )
