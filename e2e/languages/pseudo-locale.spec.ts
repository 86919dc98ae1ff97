import path from 'node:path'
import type { Page } from '@playwright/test'
import campaign from '#server/testing/campaign.ts'
import { createAccounts, EVERY_ROUTE, open } from '../checks/every-route.ts'
import { expectNothingLost } from '../checks/fit.ts'
import { untranslated } from '../checks/untranslated.ts'
import { writeCampaign } from '../support/campaign-file.ts'
import { prepareProduct } from '../support/operator.ts'
import { startFakeServices } from '../support/fake-services.ts'
import { expect, type Product, productOf, test } from '../support/product.ts'
import { createPseudoProgram, mapTexts, pseudo } from '../support/pseudo-locale.ts'

/** Members of texts that are no words for people. */
const KEPT = new Set([
  'contact',
  'updatedOn',
  'hashtags',
  'id',
  'url',
  'kind',
  'claim',
  'drawing',
  'status',
  'icon',
  'platform',
  'account',
])

/** A campaign whose texts are of the pseudo-locale, too. */
const worded = <T>(value: T): T => mapTexts(value, (text, name) => (KEPT.has(name) ? text : pseudo(text)))
const { texts, airdrop, smallPrint, roadmap } = campaign
const PSEUDO_CAMPAIGN = {
  ...campaign,
  texts: worded(texts),
  airdrop: { ...airdrop, tasks: worded(airdrop.tasks) },
  smallPrint: worded(smallPrint),
  roadmap: worded(roadmap),
}

test('every route shows only translated texts, and clips none that is 40 % longer', async ({ browser }) => {
  test.slow()
  const program = await createPseudoProgram()
  const services = await startFakeServices()
  const { file, remove } = await writeCampaign(PSEUDO_CAMPAIGN)
  const operator = await prepareProduct(
    'pseudo-locale',
    {
      CAMPAIGN_CONFIG: file,
      PRICE_API_URL: `${services.url}/price`,
      CHAIN_RPC_URL: `${services.url}/rpc`,
      OEMBED_URL: `${services.url}/oembed`,
    },
    [path.join(program.root, 'dist/server/main.js')],
  )
  try {
    await operator.start()
    const product = productOf(operator, services)
    const context = await browser.newContext({ locale: 'es', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await visitAll(page, product)
    await context.close()
  } finally {
    await operator.remove()
    await Promise.all([services.close(), remove(), program.remove()])
  }
})

async function visitAll(page: Page, product: Product): Promise<void> {
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
    await expectNothingLost(page, visit.path)
    expect.soft(await untranslated(page, known), visit.path).toEqual([])
  }
}

/** What operators and developers read. */
const ENGLISH_ONLY = /^\/(docs|api\/docs)(\/|$)/

/** Names and terms that every language writes the same. */
const NAMES = ['Dropwright', 'localhost', 'Telegram', 'WhatsApp', 'OpenAPI', 'PulseX', 'DexScreener', 'JSON']
