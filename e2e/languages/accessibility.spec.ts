import { DEFAULT_LOCALE, LOCALES } from '#contract/locales.ts'
import { expectTranslationAccessible, PHONE } from '../checks/axe.ts'
import { EVERY_ROUTE, open } from '../checks/every-route.ts'
import { test } from '../support/product.ts'

test.use({ viewport: PHONE })

/** What anyone can open; documentation, API and setup are in English. */
const PUBLIC_ROUTES = EVERY_ROUTE.filter(
  ({ path, who, stored }) => !who && !stored && !/^\/(docs|api|setup)/.test(path),
)

// right-to-left.spec.ts checks Arabic. One tab serves all languages: a new one would compile every script.
test('every public page and screen is accessible in each language', async ({ page, product }) => {
  // More than sixty routes.
  test.slow()
  // `open` requires accounts, but logs no one in for a public route.
  const someone = await product.newParticipant()
  for (const locale of LOCALES.filter((each) => ![DEFAULT_LOCALE, 'ar'].includes(each)))
    await test.step(locale, async () => {
      for (const visit of PUBLIC_ROUTES) {
        await open(page, product, visit, { participant: someone, administrator: someone }, locale)
        await expectTranslationAccessible(page, `${visit.path}, ${locale}`)
      }
    })
})
