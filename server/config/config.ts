import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import * as z from 'zod/mini'
import { type ConnectionPlan, planConnections, USUAL_CONNECTIONS } from '../platform/database/connections.ts'
import { Misconfigured } from '../platform/misconfigured.ts'
import { MIN_SECRET_LENGTH } from '../platform/secrets.ts'

export type Env = Record<string, string | undefined>

const wholeNumber = (minimum: number, maximum: number) => {
  const digits = z.regex(/^[0-9]{1,9}$/, `must be a whole number from ${minimum} to ${maximum}`)
  const atLeast = z.minimum(minimum, `must be at least ${minimum}`)
  const atMost = z.maximum(maximum, `must be at most ${maximum}`)
  const inRange = z.number().check(atLeast, atMost)
  return z.pipe(z.string().check(digits), z.pipe(z.transform(Number), inRange))
}

const url = (...protocols: string[]) => {
  const isAllowed = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol)
  const prefixes = protocols.map((protocol) => `${protocol}//`).join(' or ')
  return z.string().check(z.refine(isAllowed, `must be an address that starts with ${prefixes}`))
}

const origin = url('http:', 'https:').check(
  z.refine(
    (value) => !URL.canParse(value) || value.replace(/\/$/, '') === new URL(value).origin,
    'must be an origin without a path, such as https://example.org',
  ),
)

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']
const isProxy = (entry: string) =>
  NAMED_NETWORKS.includes(entry) || isIP(entry) !== 0 || ipaddr.isValidCIDR(entry)
const proxyList = z.refine<string>(
  (value) => value.split(',').every((entry) => isProxy(entry.trim())),
  'must be a comma-separated list of addresses, CIDRs, loopback, linklocal or uniquelocal',
)
const proxies = z.pipe(
  z.string().check(proxyList),
  z.transform((value: string) => value.split(',').map((entry) => entry.trim())),
)

const EMAIL = /^[^\s<>@,;:"]+@[^\s<>@,;:"]+$/
const NAMED_EMAIL = /^[^\r\n<>@,;:"]*<([^<>]*)>$/
const sender = z.refine<string>(
  (value) => EMAIL.test(NAMED_EMAIL.exec(value)?.[1] ?? value),
  'must be an email address, such as no-reply@example.org or Name <no-reply@example.org>',
)

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const logLevel = z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)

/** The server's environment. `toConfig` has the defaults that depend on other variables. */
const Environment = z.object({
  /** Production requires SMTP_URL and PUBLIC_URL, and has no development mailbox. */
  NODE_ENV: z.optional(z.string()),
  /** Where to listen. HOST defaults to 127.0.0.1 in development and 0.0.0.0 in production. */
  PORT: z.prefault(wholeNumber(0, 65_535), '3000'),
  HOST: z.optional(z.string()),
  /** The origin that visitors see; used in emails, canonical links and the Host header check. */
  PUBLIC_URL: z.optional(origin),
  /** An external PostgreSQL instead of the embedded one. The second URL is for the role that migrates. */
  DATABASE_URL: z.optional(url('postgres:', 'postgresql:')),
  DATABASE_OWNER_URL: z.optional(url('postgres:', 'postgresql:')),
  /** The database itself, for LISTEN and migrations, where DATABASE_URL is a transaction pooler. */
  DATABASE_DIRECT_URL: z.optional(url('postgres:', 'postgresql:')),
  /** A replica for public reads. */
  DATABASE_REPLICA_URL: z.optional(url('postgres:', 'postgresql:')),
  /** How many connections all processes of this machine may open. An embedded PostgreSQL is sized to fit. */
  DATABASE_CONNECTIONS: z.optional(wholeNumber(4, 10_000)),
  /** The folder for everything that the program writes. */
  DATA_DIR: z.prefault(z.string(), '.data'),
  /** If unset, emails go to the development mailbox, which only this machine may read (`exposure.ts`). */
  SMTP_URL: z.optional(url('smtp:', 'smtps:')),
  MAIL_FROM: z.optional(z.string().check(sender)),
  /** The name under which the mail server's DKIM key is published, for checking it. */
  DKIM_SELECTOR: z.optional(
    z.string().check(z.regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, 'must be a selector, such as mail2026')),
  ),
  PRICE_API_URL: z.prefault(url('http:', 'https:'), 'https://api.dexscreener.com'),
  CHAIN_RPC_URL: z.prefault(url('http:', 'https:'), 'https://rpc.pulsechain.com'),
  OEMBED_URL: z.prefault(url('http:', 'https:'), 'https://publish.twitter.com/oembed'),
  TELEGRAM_API_URL: z.prefault(url('http:', 'https:'), 'https://api.telegram.org'),
  TELEGRAM_BOT_TOKEN: z.optional(z.string()),
  /** The bot's OpenID client. If both are set, participants can connect their Telegram account. */
  TELEGRAM_CLIENT_ID: z.optional(z.string()),
  TELEGRAM_CLIENT_SECRET: z.optional(z.string()),
  TELEGRAM_ISSUER_URL: z.prefault(url('http:', 'https:'), 'https://oauth.telegram.org'),
  /** Proxies whose X-Forwarded-For is trusted. */
  TRUST_PROXY: z.optional(proxies),
  /** The secret from which keys are derived. If unset, the program makes one in DATA_DIR. */
  APP_SECRET: z.optional(
    z.string().check(z.minLength(MIN_SECRET_LENGTH, `must be at least ${MIN_SECRET_LENGTH} characters`)),
  ),
  /** Whether administrators have to set up two-factor login before they can do anything else. */
  REQUIRE_ADMIN_TOTP: z.prefault(
    z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: 'must be true or false' }),
    'false',
  ),
  /** Processes that serve on this machine. */
  WORKERS: z.prefault(wholeNumber(1, 64), '1'),
  /** Bearer token for /metrics. Without it, only a loopback peer without forwarding headers may read them. */
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must be at least 16 characters'))),
  /** Seconds after SIGTERM in which new connections are still served. The process ends within ten. */
  DRAIN_SECONDS: z.prefault(wholeNumber(0, 9), '0'),
  LOG_LEVEL: z.prefault(logLevel, 'info'),
  /** Where the program backs itself up, how often, and how many of these backups it keeps. */
  BACKUP_DIR: z.optional(z.string()),
  BACKUP_EVERY_HOURS: z.prefault(wholeNumber(1, 720), '24'),
  BACKUP_KEEP: z.prefault(wholeNumber(1, 1_000), '7'),
  /** A campaign file other than campaign.config.ts. */
  CAMPAIGN_CONFIG: z.optional(z.string()),
})
type Environment = z.output<typeof Environment>

export type Config = ReturnType<typeof toConfig>

/** An empty variable counts as unset. @returns problems that each begin with the name of a variable. */
export function readConfig(env: Env): Config | { problems: string[] } {
  const variables = withoutEmpty(env)
  const parsed = z.safeParse(Environment, variables)
  const problems = [
    ...invalidVariables(parsed.error),
    ...missingInProduction(variables),
    ...telegramProblems(variables),
    ...databaseConflicts(variables),
  ]
  if (!parsed.success || problems.length > 0) return { problems }
  const plan = connectionPlanOf(parsed.data)
  return 'required' in plan
    ? { problems: [tooFewConnections(parsed.data, plan.required)] }
    : toConfig(parsed.data, plan)
}

/** What a command on the database needs. Variables that only the server uses may be missing or invalid. */
export type CommandConfig = ReturnType<typeof readCommandConfig>

const CommandEnvironment = z.pick(Environment, {
  NODE_ENV: true,
  DATABASE_URL: true,
  DATABASE_OWNER_URL: true,
  DATABASE_DIRECT_URL: true,
  DATA_DIR: true,
  APP_SECRET: true,
  CAMPAIGN_CONFIG: true,
  BACKUP_DIR: true,
  BACKUP_KEEP: true,
})

/** @throws Misconfigured with a line for each problem. */
export const readCommandConfig = (env: Env) => toCommandConfig(readVariables(CommandEnvironment, env))

/** For commands that read the chain. @throws like {@link readCommandConfig}. */
export const readChainRpcUrl = (env: Env): string =>
  readVariables(z.pick(Environment, { CHAIN_RPC_URL: true }), env).CHAIN_RPC_URL

/** For commands that print links. @throws like {@link readCommandConfig}. */
export const readPublicUrl = (env: Env): string =>
  publicUrlOf(readVariables(z.pick(Environment, { PUBLIC_URL: true, PORT: true }), env))

function readVariables<Schema extends z.core.$ZodType>(schema: Schema, env: Env): z.output<Schema> {
  const parsed = z.safeParse(schema, withoutEmpty(env))
  if (!parsed.success) throw new Misconfigured(invalidVariables(parsed.error).join('\n'))
  return parsed.data
}

const publicUrlOf = ({ PUBLIC_URL, PORT }: Pick<Environment, 'PUBLIC_URL' | 'PORT'>) =>
  (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/$/, '')

const withoutEmpty = (env: Env) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))

const invalidVariables = (error: z.core.$ZodError | undefined) =>
  (error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`)

function connectionPlanOf({ WORKERS, DATABASE_CONNECTIONS, DATABASE_URL }: Environment) {
  const max = DATABASE_CONNECTIONS ?? (DATABASE_URL ? USUAL_CONNECTIONS : undefined)
  return planConnections({ workers: WORKERS, max })
}

function tooFewConnections({ WORKERS, DATABASE_CONNECTIONS }: Environment, required: number): string {
  const allowed = DATABASE_CONNECTIONS ?? `not set, which means ${USUAL_CONNECTIONS}`
  return (
    `WORKERS=${WORKERS} needs at least ${required} database connections, but DATABASE_CONNECTIONS is ${allowed}: ` +
    'lower WORKERS, or set DATABASE_CONNECTIONS to as many as the database allows'
  )
}

const REQUIRED = { SMTP_URL: 'smtp://user:password@mail.example.org:587', PUBLIC_URL: 'https://example.org' }

function missingInProduction(variables: Env): string[] {
  if (variables['NODE_ENV'] !== 'production') return []
  return Object.entries(REQUIRED)
    .filter(([name]) => variables[name] === undefined)
    .map(([name, example]) => `${name} is required in production, for example ${example}`)
}

/** If only one were set, the Telegram login would silently be off. */
function telegramProblems({ TELEGRAM_CLIENT_ID, TELEGRAM_CLIENT_SECRET }: Env): string[] {
  if ((TELEGRAM_CLIENT_ID === undefined) === (TELEGRAM_CLIENT_SECRET === undefined)) return []
  const missing = TELEGRAM_CLIENT_ID === undefined ? 'TELEGRAM_CLIENT_ID' : 'TELEGRAM_CLIENT_SECRET'
  return [`${missing} is missing: set both TELEGRAM_CLIENT_ID and TELEGRAM_CLIENT_SECRET, or neither`]
}

const NO_POOLER = 'the embedded database has no pooler and no replica'
const NEED_DATABASE_URL = {
  DATABASE_OWNER_URL: 'without it, the embedded database would be used',
  DATABASE_DIRECT_URL: NO_POOLER,
  DATABASE_REPLICA_URL: NO_POOLER,
}

function databaseConflicts(variables: Env): string[] {
  const { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_DIRECT_URL } = variables
  if (DATABASE_URL === undefined) {
    // Malformed values are reported by the schema.
    const given = Object.entries(NEED_DATABASE_URL).filter(([name]) => URL.canParse(variables[name] ?? ''))
    return given.map(([name, reason]) => `${name} needs DATABASE_URL: ${reason}`)
  }
  if (DATABASE_DIRECT_URL === undefined || DATABASE_OWNER_URL === undefined) return []
  const pooler = serverOf(DATABASE_URL)
  // If DATABASE_DIRECT_URL leads to the same server, DATABASE_URL is no pooler.
  if (serverOf(DATABASE_OWNER_URL) !== pooler || serverOf(DATABASE_DIRECT_URL) === pooler) return []
  return [
    'DATABASE_OWNER_URL points to the same server as DATABASE_URL, which is a pooler if DATABASE_DIRECT_URL is set: ' +
      'point it to the database itself, which migrations need',
  ]
}

/** Host and port of a database's address, or the folder of its Unix socket. */
export function serverOf(address: string): string {
  if (!URL.canParse(address)) return address
  const { hostname, port, searchParams } = new URL(address)
  return searchParams.get('host') ?? `${hostname || 'localhost'}:${port || 5432}`
}

function toCommandConfig(env: z.output<typeof CommandEnvironment>) {
  return {
    isProduction: env.NODE_ENV === 'production',
    databaseUrl: env.DATABASE_URL,
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    dataDir: env.DATA_DIR,
    appSecret: env.APP_SECRET,
    campaignFile: env.CAMPAIGN_CONFIG,
    backupDir: env.BACKUP_DIR,
    backupKeep: env.BACKUP_KEEP,
  }
}

function toConfig(env: Environment, plan: ConnectionPlan) {
  const commandConfig = toCommandConfig(env)
  const { isProduction } = commandConfig
  const publicUrl = publicUrlOf(env)
  return {
    ...commandConfig,
    port: env.PORT,
    host: env.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    publicUrl,
    /** Connections of each serving process's pool, and of all processes of this machine together. */
    poolSize: plan.pool,
    databaseConnections: plan.total,
    databaseReplicaUrl: env.DATABASE_REPLICA_URL,
    smtpUrl: env.SMTP_URL,
    dkimSelector: env.DKIM_SELECTOR,
    mailFrom: env.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    priceApiUrl: env.PRICE_API_URL,
    chainRpcUrl: env.CHAIN_RPC_URL,
    oembedUrl: env.OEMBED_URL,
    telegramApiUrl: env.TELEGRAM_API_URL,
    telegramBotToken: env.TELEGRAM_BOT_TOKEN,
    telegramClientId: env.TELEGRAM_CLIENT_ID,
    telegramClientSecret: env.TELEGRAM_CLIENT_SECRET,
    telegramIssuerUrl: env.TELEGRAM_ISSUER_URL.replace(/\/+$/, ''),
    trustProxy: env.TRUST_PROXY ?? [],
    backupEveryHours: env.BACKUP_EVERY_HOURS,
    requireAdminTotp: env.REQUIRE_ADMIN_TOTP,
    workers: env.WORKERS,
    metricsToken: env.METRICS_TOKEN,
    drainSeconds: env.DRAIN_SECONDS,
    logLevel: env.LOG_LEVEL,
  }
}

export const backupRetention = ({ backupDir, backupKeep }: CommandConfig) =>
  backupDir === undefined ? undefined : { folder: resolve(backupDir), keep: backupKeep }

export function backupPlan(config: Config) {
  const retention = backupRetention(config)
  return retention && { ...retention, everyHours: config.backupEveryHours }
}
