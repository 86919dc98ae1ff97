import path from 'node:path'
import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { createAccounts, EVERY_ROUTE, open } from '../checks/every-route.ts'
import { expectNothingClipped } from '../checks/fit.ts'
import { expect, type Product, test, withProduct } from '../support/product.ts'
import { createPseudoProgram, mapTexts, pseudo } from '../support/pseudo-locale.ts'

/** Members of a campaign that are not texts for readers. */
const UNTRANSLATED_MEMBERS = new Set(
  'contact updatedOn hashtags id url kind claim drawing status icon platform account'.split(' '),
)

/** Puts the texts of a campaign into the pseudo-locale: English with accents and longer words. */
const translateTexts = <T>(value: T): T =>
  mapTexts(value, (text, name) => (UNTRANSLATED_MEMBERS.has(name) ? text : pseudo(text)))
const { texts, airdrop, smallPrint, roadmap } = campaign
const PSEUDO_CAMPAIGN = {
  ...campaign,
  texts: translateTexts(texts),
  airdrop: { ...airdrop, tasks: translateTexts(airdrop.tasks) },
  smallPrint: translateTexts(smallPrint),
  roadmap: translateTexts(roadmap),
}

test('every route shows only translated texts, and clips none of them when they are 40 % longer', async ({
  browser,
}) => {
  test.slow()
  // In this copy of the program, Spanish is the pseudo-locale.
  const copy = await createPseudoProgram()
  const program = [path.join(copy.root, 'dist/server/main.js')]
  try {
    await withProduct('pseudo-locale', { campaign: PSEUDO_CAMPAIGN, program }, async (product) => {
      const page = await browser.newPage({ locale: 'es', reducedMotion: 'reduce' })
      await expectTranslatedAndUnclipped(page, product)
      await page.close()
    })
  } finally {
    await copy.remove()
  }
})

async function expectTranslatedAndUnclipped(page: Page, product: Product): Promise<void> {
  const accounts = await createAccounts(product)
  const { name, token, chain } = PSEUDO_CAMPAIGN
  const known = [
    name,
    token.name,
    token.symbol,
    chain.name,
    chain.currency.name,
    ...Object.values(accounts).map(({ username }) => username),
    accounts.participant.proof.telegram.slice(1),
    ...NAMES,
  ]
  for (const visit of EVERY_ROUTE) {
    if (ENGLISH_ONLY.test(visit.path)) continue
    await open(page, product, visit, accounts, 'es')
    await expectNothingClipped(page, visit.path)
    expect.soft(await findUntranslated(page, known), visit.path).toEqual([])
  }
}

/** The pages for operators and developers. */
const ENGLISH_ONLY = /^\/(docs|api\/docs)(\/|$)/

/** Every language writes these names in the same way. */
const NAMES = ['Dropwright', 'localhost', 'Telegram', 'WhatsApp', 'OpenAPI', 'PulseX', 'DexScreener', 'JSON']

/** No text of the pseudo-locale has four letters without accents in a row. */
const ENGLISH = /[A-Za-z]{4,}/

/** Elements whose text is the same in every language: code, addresses, and names of languages and people. */
const SAME_EVERYWHERE =
  'code, pre, kbd, samp, script, style, noscript, textarea, [lang]:not(html), [translate="no"], bdi, .sr-code'

/**
 * Finds texts and labels of the current page that are still English.
 * @param known names that are the same in every language, such as the token's
 */
async function findUntranslated(page: Page, known: readonly string[]): Promise<string[]> {
  const shown = await page.evaluate((same) => {
    const isShown = (element: Element | null) =>
      element !== null &&
      element.closest(same) === null &&
      element.checkVisibility({ visibilityProperty: true })
    const shownTexts: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode())
      if (isShown(walker.currentNode.parentElement)) shownTexts.push(walker.currentNode.textContent ?? '')
    for (const element of document.body.querySelectorAll('[aria-label], [placeholder], [alt], [title]'))
      if (element.closest(same) === null)
        for (const name of ['aria-label', 'placeholder', 'alt', 'title'])
          shownTexts.push(element.getAttribute(name) ?? '')
    return shownTexts
  }, SAME_EVERYWHERE)
  const unknown = shown.map((text) => withoutKnown(text, known).trim()).filter((text) => ENGLISH.test(text))
  return [...new Set(unknown)]
}

/** Removes names, addresses, emails, handles, domains, paths, and Spanish dates and ages by `Intl`. */
function withoutKnown(text: string, known: readonly string[]): string {
  let remaining = text
  for (const name of known) remaining = remaining.replaceAll(name, '')
  return remaining.replaceAll(
    /https?:\/\/\S+|0x[0-9a-fA-F…]+|\S+@\S+|@\w+|[\w-]+(?:\.[\w-]+)+(?:\/\S*)?|\/[\w/-]+|\d+ de [a-z]+|hace \d+ [a-z]+/g,
    '',
  )
}
