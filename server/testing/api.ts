import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type pg from 'pg'
import * as accounts from '#contract/accounts/accounts.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { type Endpoint, pathFor } from '#contract/protocol/endpoint.ts'
import type { User } from '#contract/entities.ts'
import * as sessions from '#contract/accounts/sessions.ts'
import { createAdministrator } from '../domain/accounts/create-administrator.ts'
import { createVisitCounter } from '../domain/insights/visits/counter.ts'
import { createApp, mailTemplates } from '../app.ts'
import type { Deps } from '../deps.ts'
import { createDeploymentChecks } from '../doctor/deployment-checks.ts'
import { readEnvironment } from '../doctor/environment.ts'
import { TEST_MAIL } from '../doctor/mail.ts'
import type { MailOptions } from '../domain/mail/routes.ts'
import { render, renderForRecipient } from '../domain/mail/templates.ts'
import type { QueuedMail } from '../domain/mail/send-later.ts'
import type { Mail } from '../domain/mail/compose.ts'
import { openDatabase, openPool, type PoolOptions } from '../platform/database/database.ts'
import { createHttpClient } from '../platform/outbound/http-client.ts'
import { createProbe } from '../platform/database/probe.ts'
import { createEventHub } from '../domain/events/hub.ts'
import { createEventSources } from '../domain/events/sources.ts'
import type { TelegramLogin } from '../domain/telegram/provider.ts'
import { LONG_TIMEOUT, testDatabase } from './database/database.ts'
import { depsOfAnotherNode, testDeps } from './deps.ts'
import { runClaimChecks } from './builders/evidence.ts'
import { freshIp } from './builders/fresh-ip.ts'
import { queuedMails } from './queued-mails.ts'

export const PASSWORD = 'correct horse battery staple'
export const NEW_PASSWORD = 'another long passphrase'

export type Answer = {
  status: number
  headers: Record<string, unknown>
  text: string
  body: { message?: string; code?: string; fields?: Record<string, string>; data?: unknown } & Record<
    string,
    unknown
  >
}

export type CallInput = {
  body?: unknown
  token?: string | undefined
  params?: Record<string, string>
  query?: Record<string, string | number>
  /** By default, each call has a new address, so that rate limits do not interfere. */
  ip?: string | undefined
  /** Calls with the same cookie come from one browser. Each call without a cookie comes from a new one. */
  cookie?: string | undefined
  headers?: Record<string, string>
}

export type TestApi = Awaited<ReturnType<typeof testApi>>

type NodeOptions = {
  telegramLogin?: TelegramLogin
  /** The chain; unreachable when absent. */
  rpc?: Rpc
  /** How long public answers are cached. By default, they are not cached. */
  keepPublicForMs?: number
  /** For the deployment checks. Of these variables, the API itself reads only REQUIRE_ADMIN_TOTP. */
  env?: Record<string, string>
  mail?: Partial<MailOptions>
}

type TestApiOptions = NodeOptions & PoolOptions & { campaign?: CampaignFile; log?: Deps['log'] }

/** The API with rate limits, called in-process, on a database of its own. */
export async function testApi(
  t: TestContext,
  { campaign, log, max, timeoutMs = LONG_TIMEOUT.timeoutMs, ...options }: TestApiOptions = {},
) {
  const apps: FastifyInstance[] = []
  // Apps close before the database, because an open stream holds a connection of the pool.
  t.after(() => Promise.all(apps.map((app) => app.close())))
  const poolOptions = { timeoutMs, ...(max === undefined ? {} : { max }) }
  const { db, pool, url } = await testDatabase(t, poolOptions)
  const deps = await testDeps(db, campaign, log)
  const node = await startNode(t, { apps, deps, pool, url }, options)
  return {
    ...node,
    db,
    pool,
    url,
    ...accountsOf(node.call, deps),
    runClaimChecks: () => runClaimChecks(deps),
    /** Starts another node on the same database, with its own pool. `url` may lead there through a proxy. */
    anotherNode: ({ url: otherUrl = url, ...changes }: PoolOptions & { url?: string } = {}) => {
      const otherOptions = { ...poolOptions, ...changes }
      const otherPool = openPool(otherUrl, otherOptions)
      t.after(() => otherPool.end())
      const otherDeps = depsOfAnotherNode(deps, openDatabase(otherPool))
      const parts = { apps, deps: otherDeps, pool: otherPool, url: otherUrl }
      return startNode(t, { ...parts, timeoutMs: otherOptions.timeoutMs }, options)
    },
  }
}

type NodeParts = {
  /** The apps to close after the test. The node adds its own. */
  apps: FastifyInstance[]
  deps: Deps
  pool: pg.Pool
  url: string
  /** For the readiness probe. */
  timeoutMs?: number
}

async function startNode(t: TestContext, parts: NodeParts, options: NodeOptions) {
  const { apps, deps, pool, url, timeoutMs = LONG_TIMEOUT.timeoutMs } = parts
  const { telegramLogin, rpc = noChain, keepPublicForMs = 0, mail, env = {} } = options
  const probe = createProbe(url, { timeoutMs })
  t.after(() => probe.close())
  const app = await createApp(
    {
      isProduction: false,
      publicUrl: 'http://localhost:3000',
      trustProxy: [],
      metricsToken: undefined,
      smtpUrl: undefined,
      requireAdminTotp: env['REQUIRE_ADMIN_TOTP'] === 'true',
      isDev: false,
      hasSite: false,
      keepPublicForMs,
      admission: { ...LONG_TIMEOUT, onOverload: undefined },
    },
    {
      deps,
      pool,
      probe,
      events: createEventHub(createEventSources({ deps, pool, readBlock: async () => undefined })),
      readPrice: async () => null,
      telegramLogin,
      rpc,
      scanRpc: rpc,
      visits: createVisitCounter(),
      mail: {
        takesEmails: async () => true,
        resolver: {
          resolveTxt: () => Promise.reject(Object.assign(new Error('offline'), { code: 'ECONNREFUSED' })),
        },
        from: 'no-reply@site.example',
        selector: undefined,
        smtpUrl: undefined,
        ...mail,
      },
      isDraining: () => false,
      deploymentChecks: checksOf(env, deps, pool),
    },
  )
  apps.push(app)
  const inject = async (request: InjectOptions): Promise<Answer> => {
    const { statusCode, headers, payload } = await app.inject(request)
    return {
      status: statusCode,
      headers,
      // A 304 has a content type but no body.
      body: payload !== '' && isJson(headers['content-type']) ? (JSON.parse(payload) as Answer['body']) : {},
      text: payload,
    }
  }
  const call = (endpoint: Endpoint, input: CallInput = {}) => inject(requestFor(endpoint, input))
  return { app, inject, call, deps }
}

/** Checks of the deployment that `env` describes. They call no service besides its CHAIN_RPC_URL. */
function checksOf(env: Record<string, string>, deps: Deps, pool: pg.Pool) {
  const { config } = readEnvironment(env)
  return createDeploymentChecks({
    config,
    db: deps.db,
    pool,
    campaign: () => deps.campaign,
    http: createHttpClient({ allow: env['CHAIN_RPC_URL'] ? [env['CHAIN_RPC_URL']] : [], timeoutMs: 20_000 }),
    fetchPrice: () => () => Promise.resolve({ pairs: [] }),
    testMail: (username) => {
      const context = { campaign: deps.campaign, publicUrl: config.publicUrl, keys: deps.keys }
      return render({ template: TEST_MAIL, to: '', values: { username } }, mailTemplates, context)
    },
  })
}

const noChain: Rpc = async (calls) =>
  calls.map(() => ({ failure: { kind: 'unreachable', detail: 'there is no chain' } }))

const isJson = (type: unknown) => String(type).startsWith('application/json')

function requestFor(
  endpoint: Endpoint,
  { body, token, params, query, ip = freshIp(), cookie, headers }: CallInput,
): InjectOptions {
  return {
    method: endpoint.method,
    url: pathFor(endpoint, params),
    remoteAddress: ip,
    headers: {
      host: 'localhost:3000',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(cookie ? { cookie } : {}),
      ...headers,
    },
    ...(query
      ? { query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) }
      : {}),
    ...(body === undefined ? {} : { payload: body as object }),
  }
}

/** Begins with z, as no reserved name does, so that registering never refuses it. */
const freshUsername = () => `z${randomBytes(6).toString('hex')}`

type Call = (endpoint: Endpoint, input?: CallInput) => Promise<Answer>
type Account = { username: string; email: string; password: string; token: string; user: User }

function accountsOf(call: Call, deps: Deps) {
  const queuedTo = async (email: string): Promise<QueuedMail[]> => {
    const mails = await queuedMails(deps.db)
    return mails.filter(({ to }) => to.toLowerCase() === email.toLowerCase())
  }
  const renderAll = (mails: readonly QueuedMail[]): Promise<Mail[]> => {
    const { campaign, keys } = deps
    const context = { campaign, publicUrl: 'http://localhost:3000', keys }
    return Promise.all(mails.map((queued) => renderForRecipient(deps.db, queued, mailTemplates, context)))
  }
  /** Every email to an address, queued or sent, oldest first. */
  const mailsTo = async (email: string): Promise<Mail[]> => renderAll(await queuedTo(email))
  const newestMailTo = async (email: string): Promise<Mail> => {
    const [newest] = await renderAll((await queuedTo(email)).slice(-1))
    if (!newest) throw new Error(`Nothing was mailed to ${email}.`)
    return newest
  }
  /** The code in the newest email to an address. */
  const codeFor = async (email: string): Promise<string> => {
    const code = /(?<!\d)\d{6}(?!\d)/.exec((await newestMailTo(email)).text)?.[0]
    if (!code) throw new Error(`No code was mailed to ${email}.`)
    return code
  }
  const logIn = async (email: string, password: string): Promise<{ token: string; user: User }> => {
    const { body, status } = await call(sessions.login, { body: { email, password } })
    if (status !== 200) throw new Error(`Login of ${email} failed: ${JSON.stringify(body)}`)
    return { token: body['token'] as string, user: body.data as User }
  }
  /** Registers, verifies and logs in. */
  const participant = async ({
    username = freshUsername(),
    email = `${username}@mail.example`,
    referralCode,
  }: { username?: string; email?: string; referralCode?: string } = {}): Promise<Account> => {
    const body = { username, email, password: PASSWORD, referralCode }
    const registered = await call(accounts.register, { body })
    if (registered.status !== 201)
      throw new Error(`Registering ${email} failed: ${registered.status} ${registered.text}`)
    const verified = await call(accounts.verifyEmail, { body: { email, otp: await codeFor(email) } })
    if (verified.status !== 200)
      throw new Error(`Verifying ${email} failed: ${verified.status} ${verified.text}`)
    return { username, email, password: PASSWORD, ...(await logIn(email, PASSWORD)) }
  }
  const administrator = async (): Promise<Account> => {
    const username = freshUsername()
    const account = { username, email: `${username}@team.example`, password: 'an administrator passphrase' }
    await createAdministrator(deps, account)
    return { ...account, ...(await logIn(account.email, account.password)) }
  }
  return { mailsTo, newestMailTo, codeFor, logIn, participant, administrator }
}
