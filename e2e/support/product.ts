import { test as base, type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { type AccountOptions, type Records, recordsOf } from './records.ts'
import { type Answer, callApi, type CallInput } from './caller.ts'
import { recordPageErrors } from './page-messages.ts'
import { prepareProduct, type ProductOptions, type ProductProcess } from './product-process.ts'
import { type FakeServices, startFakeServices } from './fake-services.ts'
import { submitClaim, startSession, type Mail, newAddress, nextMail, type Participant } from './people.ts'
import { sessionOf, store } from './storage.ts'

/** The running product with its outside services, and ways to create accounts. */
export type Product = Omit<Records, 'newAccount'> & {
  url: string
  services: FakeServices
  server: ProductProcess
  /** The next unread mail to an address. */
  mailFor: (email: string) => Promise<Mail & { code: string }>
  /** Creates a participant with a session in the database. */
  newParticipant: (options?: ParticipantOptions) => Promise<Participant>
  /** Creates a participant with a claim. */
  newClaimant: (options?: ParticipantOptions) => Promise<Participant & { proof: Proof }>
  /** The administrator; created at the first call. */
  admin: () => Promise<Participant>
  /** Creates another administrator. */
  anotherAdmin: () => Promise<Participant>
  /** Logs in again over the API, to get the current state of the account. */
  logInAgain: (who: Participant) => Promise<Participant>
  /** Calls an endpoint of the contract. */
  call: <E extends Endpoint>(endpoint: E, input?: CallInput<E>) => Promise<Answer<E>>
  /** Stores a session in the browser, as the login screen does. */
  storeSession: (page: Page, who: Participant) => Promise<void>
  /** Opens a page in which someone is logged in. Closing the page closes its browser context, too. */
  pageOf: (browser: Browser, who: Participant) => Promise<Page>
}

type ParticipantOptions = Omit<AccountOptions, 'role'>

/**
 * `test` with one product per worker, started as an operator would. Each browser context has its own IP
 * address, so that rate limits stay enabled without being shared between tests. Uncaught errors and
 * violations of the Content-Security-Policy fail a test.
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
    expect(complaints, 'uncaught errors and violations of the Content-Security-Policy').toEqual([])
  },
})

export { expect } from '@playwright/test'

/** Runs the callback on a new product with fakes of the outside services, and removes both at the end. */
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

/** The product that `server` has started. */
export function productOf(server: ProductProcess, services: FakeServices): Product {
  const { url } = server
  const { newAccount, ...records } = recordsOf(server)
  const newAdmin = () => newAccount({ role: 'admin' })
  let firstAdmin: Promise<Participant> | undefined
  const storeSession: Product['storeSession'] = async (page, who) => {
    await page.goto(`${url}/robots.txt`)
    await store(page, sessionOf(who))
  }
  return {
    ...records,
    url,
    services,
    server,
    newParticipant: newAccount,
    mailFor: (email) => nextMail(url, email),
    async newClaimant(options) {
      const participant = await newAccount(options)
      return { ...participant, proof: await submitClaim(url, participant) }
    },
    admin() {
      firstAdmin ??= newAdmin()
      return firstAdmin
    },
    anotherAdmin: newAdmin,
    logInAgain: (who) => startSession(url, who),
    call: (endpoint, input) => callApi(url, endpoint, input),
    storeSession,
    async pageOf(browser, who) {
      const extraHTTPHeaders = { 'x-forwarded-for': who.from }
      const page = await browser.newPage({ baseURL: url, extraHTTPHeaders })
      await storeSession(page, who)
      return page
    },
  }
}
