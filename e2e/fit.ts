import type { Page } from '@playwright/test'
import { PHONE } from './axe.ts'
import { expect } from './product.ts'

/** The narrowest phone, which is also a desk of 1280 px at 400 %. */
const NARROWEST = { width: 320, height: 640 }
/** To the page, a desk of 1280 px at 200 %. */
const ENLARGED = { width: 640, height: 512 }

/**
 * Expects that the page as it stands loses nothing: on the narrowest phone, at 200 %, with text alone at 200 %; that a
 * thumb hits everything on a common phone; and that nothing moves, which the page must have been asked for.
 */
export async function expectFits(page: Page, state: string): Promise<void> {
  await page.setViewportSize(NARROWEST)
  expect(await lost(page), `${state}, 320 px`).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await tooSmall(page), `${state}, targets`).toEqual([])
  expect(await moving(page), `${state}, reduced motion`).toEqual([])
  await page.setViewportSize(ENLARGED)
  expect(await lost(page), `${state}, 200 %`).toEqual([])
  await withLargeText(page, async () => {
    expect(await lost(page), `${state}, text at 200 %`).toEqual([])
  })
}

/** Text alone at 200 %, as somebody sets it in the browser: whatever is measured in it grows along. */
async function withLargeText(page: Page, look: () => Promise<void>): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  await look()
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } })
  await browser.detach()
}

/** What sticks out of the window, and words that are cut off by the box around them. */
const lost = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const edge = document.documentElement.clientWidth
    // What only screen readers meet is clipped away, and a decoration may run out of the picture.
    const unseen = (element: Element | null): boolean =>
      element !== null &&
      (element.ariaHidden === 'true' ||
        getComputedStyle(element).clipPath.startsWith('inset(50%') ||
        unseen(element.parentElement))
    const sticksOut = (element: HTMLElement) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (right > edge + 0.5 || left < -0.5)
    }
    const cutsOff = (element: HTMLElement) => {
      const { overflowX, overflowY, lineHeight } = getComputedStyle(element)
      // The box of a letter reaches out of a line that is set tight.
      const tight = Number.parseFloat(lineHeight) / 2 || 1
      const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
      const words = element.textContent.trim() !== ''
      return (
        words &&
        ((clips(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (clips(overflowY) && element.scrollHeight > element.clientHeight + tight))
      )
    }
    const found = [...document.body.querySelectorAll<HTMLElement>('*:not(svg *)')].filter(
      (element) =>
        (sticksOut(element) || cutsOff(element)) &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !unseen(element),
    )
    const innermost = found.filter(
      (element) => !found.some((other) => other !== element && element.contains(other)),
    )
    const named = innermost.map(
      ({ localName, className, textContent }) => `${localName}.${className}: ${textContent.slice(0, 40)}`,
    )
    if (document.documentElement.scrollWidth > edge) named.push('the page scrolls sideways')
    return named
  })

/** Controls that a thumb would miss: under 44 by 44 px, but for links inside a sentence. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => !control.closest('.sr-only') && getComputedStyle(control).display !== 'inline')
      // A box to tick is as large as the words that tick it too.
      .map((control) => ({ control, box: (control.closest('label') ?? control).getBoundingClientRect() }))
      .filter(({ box }) => box.width < 43.5 || box.height < 43.5)
      .map(({ control, box }) => `${control.ariaLabel ?? control.textContent}: ${box.width} × ${box.height}`),
  )

/** What runs for longer than anybody could see. */
const moving = (page: Page): Promise<string[]> =>
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
