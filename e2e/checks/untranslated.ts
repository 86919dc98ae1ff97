import type { Page } from '@playwright/test'

/** Four letters of English in a row, which the pseudo-locale has nowhere. */
const ENGLISH = /[A-Za-z]{4,}/

/** Elements whose text is the same in every language: code, addresses, names of languages and of people. */
const SAME_EVERYWHERE =
  'code, pre, kbd, samp, script, style, noscript, textarea, [lang]:not(html), [translate="no"], bdi, .sr-code'

/**
 * The texts and labels of the current page that are still English.
 * @param known names that no language changes, such as the token's
 */
export async function untranslated(page: Page, known: readonly string[]): Promise<string[]> {
  const texts = await page.evaluate((same) => {
    const isShown = (element: Element | null) =>
      element !== null &&
      element.closest(same) === null &&
      element.checkVisibility({ visibilityProperty: true })
    const found: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode())
      if (isShown(walker.currentNode.parentElement)) found.push(walker.currentNode.textContent ?? '')
    for (const element of document.body.querySelectorAll('[aria-label], [placeholder], [alt], [title]'))
      if (element.closest(same) === null)
        for (const name of ['aria-label', 'placeholder', 'alt', 'title'])
          found.push(element.getAttribute(name) ?? '')
    return found
  }, SAME_EVERYWHERE)
  const unknown = texts.map((text) => withoutKnown(text, known).trim()).filter((text) => ENGLISH.test(text))
  return [...new Set(unknown)]
}

/** Without names, addresses of pages, wallets and mailboxes, handles, and dates and ages as `Intl` writes them in Spanish. */
function withoutKnown(text: string, known: readonly string[]): string {
  let rest = text
  for (const name of known) rest = rest.replaceAll(name, '')
  return rest.replaceAll(
    /https?:\/\/\S+|0x[0-9a-fA-F…]+|\S+@\S+|@\w+|[\w-]+(?:\.[\w-]+)+(?:\/\S*)?|\/[\w/-]+|\d+ de [a-z]+|hace \d+ [a-z]+/g,
    '',
  )
}
