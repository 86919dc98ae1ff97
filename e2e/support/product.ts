import { test as base, type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { type AccountOptions, recordsOf } from './records.ts'
import { callApi, type CallInput, callOrFail } from './caller.ts'
import { recordPageErrors } from './page-messages.ts'
import { prepareProduct, type ProductOptions, type ProductProcess } from './product-process.ts'
import { type FakeServices, startFakeServices } from './fake-services.ts'
import { submitClaim, startSession, newAddress, nextMail, type Participant } from './people.ts'
import { putIntoStorage, sessionOf, store } from './storage.ts'

type ParticipantOptions = Omit<AccountOptions, 'role'>

/**
 * `test` with one product per worker, started as an operator would. Rate limits are on, so each browser
 * context has its own IP address. Uncaught errors and violations of the Content-Security-Policy fail a test.
 */
export const test = base.extend<{ context: BrowserContext }, { product: Product }>({
  product: [
    ({}, use, { workerIndex }) => withProduct(`product-${workerIndex}`, {}, use),
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  context: async ({ context }, use) => {
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': newAddress() })
    const complaints = recordPageErrors(context)
    await use(context)
    // A call that is still running when its page closes must not fail the test.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
    expect(complaints, 'uncaught errors and violations of the Content-Security-Policy').toEqual([])
  },
})

export { expect } from '@playwright/test'

/** Runs the callback on a new product with fake outside services, and removes both at the end. */
export async function withProduct(
  name: string,
  { env, ...options }: ProductOptions,
  use: (product: Product) => Promise<void>,
): Promise<void> {
  const services = await startFakeServices()
  try {
    const server = await prepareProduct(name, {
      ...options,
      env: { TRUST_PROXY: 'loopback', ...services.env, ...env },
    })
    try {
      await server.start()
      await use(productOf(server, services))
    } finally {
      await server.remove()
    }
  } finally {
    await services.close()
  }
}

/** What tests do with a product. */
export function productOf(server: ProductProcess, services: FakeServices) {
  const { url } = server
  const { newAccount, ...records } = recordsOf(server)
  const newAdmin = () => newAccount({ role: 'admin' })
  let firstAdmin: Promise<Participant> | undefined

  /** Stores a session in the browser, like the login screen, but in a document without scripts. */
  async function storeSession(page: Page, who: Participant): Promise<void> {
    await page.goto(`${url}/robots.txt`)
    await store(page, sessionOf(who))
  }

  /** Opens a page in which someone is logged in, without the document that {@link storeSession} opens. */
  async function openAs(page: Page, who: Participant, path: string): Promise<void> {
    const storing = await page.addInitScript(putIntoStorage, sessionOf(who))
    await page.goto(url + path)
    await storing.dispose()
  }

  /** Opens a page in which someone is logged in. Closing it also closes its browser context. */
  async function pageOf(browser: Browser, who: Participant): Promise<Page> {
    const extraHTTPHeaders = { 'x-forwarded-for': who.from }
    const page = await browser.newPage({ baseURL: url, extraHTTPHeaders })
    await storeSession(page, who)
    return page
  }

  async function newClaimant(options?: ParticipantOptions): Promise<Participant & { proof: Proof }> {
    const participant = await newAccount(options)
    return { ...participant, proof: await submitClaim(url, participant) }
  }

  return {
    ...records,
    url,
    services,
    server,
    storeSession,
    openAs,
    pageOf,
    newClaimant,
    /** Creates a participant with a session directly in the database. */
    newParticipant: (options?: ParticipantOptions) => newAccount(options),
    /** The first call creates the administrator. */
    admin() {
      firstAdmin ??= newAdmin()
      return firstAdmin
    },
    anotherAdmin: newAdmin,
    /** The next unread email. */
    mailFor: (email: string) => nextMail(url, email),
    /** The participant with a new session and the current state of the account. */
    logInAgain: (who: Participant) => startSession(url, who),
    call: <E extends Endpoint>(endpoint: E, input?: CallInput<E>) => callApi(url, endpoint, input),
    /** @throws if the call is refused. */
    callOrFail: <E extends Endpoint>(endpoint: E, input?: CallInput<E>) => callOrFail(url, endpoint, input),
  }
}

export type Product = ReturnType<typeof productOf>
