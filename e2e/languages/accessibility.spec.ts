import { DEFAULT_LOCALE, LOCALES } from '#contract/locales.ts'
import { expectAccessibleIn, PHONE } from '../checks/axe.ts'
import { EVERY_ROUTE, open } from '../checks/every-route.ts'
import { test } from '../support/product.ts'

test.use({ viewport: PHONE })

/** What anyone can open; documentation and API are in English. */
const OPEN = EVERY_ROUTE.filter(
  ({ path, who, stored }) => !who && !stored && !/^\/(docs|api|setup)/.test(path),
)

for (const locale of LOCALES.filter((each) => each !== DEFAULT_LOCALE))
  test(`every page and open screen is accessible in ${locale}`, async ({ page, product }) => {
    const someone = await product.newParticipant()
    for (const visit of OPEN) {
      await open(page, product, visit, { participant: someone, administrator: someone }, locale)
      // Colors are those of English, which is checked in both themes.
      await expectAccessibleIn('light', page, `${visit.path}, ${locale}`)
    }
  })
