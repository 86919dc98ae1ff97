import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Env, readCommandConfig, readConfig } from './config.ts'
import { planConnections, USUAL_CONNECTIONS } from '../platform/database/connections.ts'
import { Misconfigured } from '../platform/misconfigured.ts'
import { configFrom } from '../testing/config.ts'

function problemsOf(env: Env): string[] {
  const config = readConfig(env)
  return 'problems' in config ? config.problems : []
}

const PRODUCTION = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://user:secret@mail.example.org:587',
  PUBLIC_URL: 'https://example.org',
}

test('defaults to loopback, one process, the embedded database, the development mailbox and the public services', () => {
  const config = configFrom({})
  assert.partialDeepStrictEqual(config, {
    isProduction: false,
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    smtpUrl: undefined,
    dataDir: '.data',
    priceApiUrl: 'https://api.dexscreener.com',
    chainRpcUrl: 'https://rpc.pulsechain.com',
    oembedUrl: 'https://publish.twitter.com/oembed',
    telegramApiUrl: 'https://api.telegram.org',
    telegramIssuerUrl: 'https://oauth.telegram.org',
    workers: 1,
    drainSeconds: 0,
    logLevel: 'info',
  })
  assert.deepEqual(config.trustProxy, [])
})

test('the default public URL has the port, and a trailing slash is removed from addresses', () => {
  assert.equal(configFrom({ PORT: '8080' }).publicUrl, 'http://localhost:8080')
  assert.equal(configFrom({ PUBLIC_URL: 'https://example.org/' }).publicUrl, 'https://example.org')
  const { telegramIssuerUrl } = configFrom({ TELEGRAM_ISSUER_URL: 'https://login.example/' })
  assert.equal(telegramIssuerUrl, 'https://login.example')
})

test('treats an empty variable as unset', () => {
  assert.deepEqual(configFrom({ PORT: '', SMTP_URL: '', DATABASE_URL: '', HOST: '' }), configFrom({}))
})

const POOLER = 'postgresql://app@pooler:6432/dropwright'
const DIRECT = 'postgresql://app@db/dropwright'
const OWNER = 'postgres://owner@db/dropwright'

test('the serving role owns the tables unless DATABASE_OWNER_URL is set', () => {
  assert.equal(configFrom({ DATABASE_URL: DIRECT }).databaseOwnerUrl, DIRECT)
  assert.equal(configFrom({ DATABASE_URL: DIRECT, DATABASE_OWNER_URL: OWNER }).databaseOwnerUrl, OWNER)
})

test('behind a pooler, migrations use DATABASE_DIRECT_URL unless DATABASE_OWNER_URL is set', () => {
  const pooled = { DATABASE_URL: POOLER, DATABASE_DIRECT_URL: DIRECT }
  assert.equal(configFrom(pooled).databaseOwnerUrl, DIRECT)
  assert.equal(configFrom({ ...pooled, DATABASE_OWNER_URL: OWNER }).databaseOwnerUrl, OWNER)
})

test('refuses DATABASE_OWNER_URL if it leads to the pooler', () => {
  for (const [DATABASE_URL, DATABASE_OWNER_URL] of [
    [POOLER, 'postgres://owner@pooler:6432/dropwright'],
    ['postgresql://app@pooler:5432/dropwright', 'postgres://owner@pooler/dropwright'], // The default port.
    ['postgresql:///dropwright', 'postgres://owner@localhost/dropwright'], // The default host.
  ] as const)
    assert.deepEqual(problemsOf({ DATABASE_URL, DATABASE_DIRECT_URL: DIRECT, DATABASE_OWNER_URL }), [
      'DATABASE_OWNER_URL points to the same server as DATABASE_URL, which is a pooler if DATABASE_DIRECT_URL is set: ' +
        'point it to the database itself, which migrations need',
    ])
  const socket = (folder: string, user: string) => `postgresql://${user}@localhost/dropwright?host=${folder}`
  const withSockets = {
    DATABASE_URL: socket('/pooler', 'app'),
    DATABASE_DIRECT_URL: socket('/db', 'app'),
    DATABASE_OWNER_URL: socket('/db', 'owner'),
  }
  assert.deepEqual(problemsOf(withSockets), [])
})

test('the direct, replica and owner addresses need DATABASE_URL', () => {
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
    assert.deepEqual(problemsOf({ [name]: DIRECT }), [
      `${name} needs DATABASE_URL: the embedded database has no pooler and no replica`,
    ])
  assert.deepEqual(problemsOf({ DATABASE_OWNER_URL: OWNER }), [
    'DATABASE_OWNER_URL needs DATABASE_URL: without it, the embedded database would be used',
  ])
})

test('requires the Telegram client id and secret together, and repeats no value', () => {
  const both = { TELEGRAM_CLIENT_ID: '123456', TELEGRAM_CLIENT_SECRET: 'hunter2' }
  assert.deepEqual(problemsOf(both), [])
  for (const missing of ['TELEGRAM_CLIENT_ID', 'TELEGRAM_CLIENT_SECRET'] as const)
    assert.deepEqual(problemsOf({ ...both, [missing]: '' }), [
      `${missing} is missing: set both TELEGRAM_CLIENT_ID and TELEGRAM_CLIENT_SECRET, or neither`,
    ])
})

test('plans connections by WORKERS, and refuses too few', () => {
  const DATABASE_URL = DIRECT
  const cases: [env: Env, max?: number][] = [
    [{ WORKERS: '16' }],
    [{ WORKERS: '16', DATABASE_URL }, USUAL_CONNECTIONS],
    [{ WORKERS: '16', DATABASE_URL, DATABASE_CONNECTIONS: '70' }, 70],
  ]
  for (const [env, max] of cases) {
    const { poolSize: pool, databaseConnections: total } = configFrom(env)
    assert.deepEqual({ pool, total }, planConnections({ workers: 16, max }))
  }
  assert.deepEqual(problemsOf({ WORKERS: '30', DATABASE_URL }), [
    'WORKERS=30 needs at least 122 database connections, but DATABASE_CONNECTIONS is not set, which means 90: ' +
      'lower WORKERS, or set DATABASE_CONNECTIONS to as many as the database allows',
  ])
  assert.equal(problemsOf({ WORKERS: '4', DATABASE_CONNECTIONS: '12' }).length, 1, 'four need 18')
})

test('a command reads only the variables that it uses', () => {
  const env = { NODE_ENV: 'production', DATA_DIR: '/data', PORT: 'x', SMTP_URL: 'y' }
  assert.deepEqual(readCommandConfig(env), {
    isProduction: true,
    databaseUrl: undefined,
    databaseOwnerUrl: undefined,
    databaseDirectUrl: undefined,
    dataDir: '/data',
    appSecret: undefined,
    campaignFile: undefined,
    backupDir: undefined,
    backupKeep: 7,
  })
  assert.throws(
    () => readCommandConfig({ ...env, DATABASE_OWNER_URL: 'db' }),
    (error) =>
      error instanceof Misconfigured && /^DATABASE_OWNER_URL must be an address[^\n]*$/.test(error.message),
  )
})

test('production listens on all interfaces and sends from its own host name', () => {
  const expected = { isProduction: true, host: '0.0.0.0', mailFrom: 'no-reply@example.org' }
  assert.partialDeepStrictEqual(configFrom(PRODUCTION), expected)
})

test('production requires SMTP_URL and PUBLIC_URL: one line each, with an example', () => {
  assert.deepEqual(problemsOf({ NODE_ENV: 'production' }), [
    'SMTP_URL is required in production, for example smtp://user:password@mail.example.org:587',
    'PUBLIC_URL is required in production, for example https://example.org',
  ])
  assert.equal(problemsOf({ ...PRODUCTION, SMTP_URL: '' }).length, 1)
})

test('reports missing and malformed variables together', () => {
  const problems = problemsOf({ NODE_ENV: 'production', PORT: 'x', APP_SECRET: 'short' })
  const variables = problems.map((problem) => problem.split(' ')[0])
  assert.deepEqual(variables, ['PORT', 'APP_SECRET', 'SMTP_URL', 'PUBLIC_URL'])
})

const NOT_A_DATABASE_URL = 'must be an address that starts with postgres:// or postgresql://'
const NOT_A_WEB_ADDRESS = 'must be an address that starts with http:// or https://'
const NOT_AN_ORIGIN = 'must be an origin without a path, such as https://example.org'
const NOT_A_PORT = 'must be a whole number from 0 to 65535'
const NOT_A_SENDER = 'must be an email address, such as no-reply@example.org or Name <no-reply@example.org>'
const NOT_PROXIES = 'must be a comma-separated list of addresses, CIDRs, loopback, linklocal or uniquelocal'
const MALFORMED: [name: string, value: string, problem: string][] = [
  ['PORT', 'http', NOT_A_PORT],
  ['PORT', '65536', 'must be at most 65535'],
  ['PORT', '-1', NOT_A_PORT],
  ['PORT', '3000.5', NOT_A_PORT],
  ['PUBLIC_URL', 'example.org', NOT_A_WEB_ADDRESS],
  ['PUBLIC_URL', 'ftp://example.org', NOT_A_WEB_ADDRESS],
  ['PUBLIC_URL', 'https://example.org/app', NOT_AN_ORIGIN],
  ['PUBLIC_URL', 'https://user@example.org', NOT_AN_ORIGIN],
  ['DATABASE_URL', 'mysql://db/x', NOT_A_DATABASE_URL],
  ['DATABASE_OWNER_URL', 'db', NOT_A_DATABASE_URL],
  ['SMTP_URL', 'mail.example.org:25', 'must be an address that starts with smtp:// or smtps://'],
  ['MAIL_FROM', 'Pocket Future', NOT_A_SENDER],
  ['MAIL_FROM', 'a@example.org\r\nBcc: b@example.org', NOT_A_SENDER],
  ['MAIL_FROM', 'a@example.org, b@example.org', NOT_A_SENDER],
  ['PRICE_API_URL', 'api', NOT_A_WEB_ADDRESS],
  ['CHAIN_RPC_URL', 'ws://rpc', NOT_A_WEB_ADDRESS],
  ['TRUST_PROXY', 'my-proxy', NOT_PROXIES],
  ['TRUST_PROXY', '10.0.0.0/99', NOT_PROXIES],
  ['TRUST_PROXY', '10.0.0', NOT_PROXIES],
  ['TRUST_PROXY', '1.2.3.4,', NOT_PROXIES],
  ['APP_SECRET', 'short', 'must be at least 32 characters'],
  ['REQUIRE_ADMIN_TOTP', 'True', 'must be true or false'],
  ['WORKERS', '0', 'must be at least 1'],
  ['WORKERS', '65', 'must be at most 64'],
  ['DATABASE_CONNECTIONS', '3', 'must be at least 4'],
  ['METRICS_TOKEN', 'short', 'must be at least 16 characters'],
  ['DRAIN_SECONDS', '10', 'must be at most 9'],
  ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
]

for (const [name, value, problem] of MALFORMED)
  test(`refuses ${name}=${JSON.stringify(value)} with one line`, () =>
    assert.deepEqual(problemsOf({ [name]: value }), [`${name} ${problem}`]))

test('no problem repeats a value, which may be a secret', () => {
  const secret = 'hunter2hunter2'
  const problems = problemsOf({ APP_SECRET: secret, METRICS_TOKEN: secret, SMTP_URL: `ftp://u:${secret}@m` })
  assert.equal(problems.length, 3)
  assert.ok(!problems.join('\n').includes(secret))
})

const ACCEPTED: [name: string, value: string][] = [
  ['PORT', '0'],
  ['PUBLIC_URL', 'http://192.168.1.5:3000'],
  ['PUBLIC_URL', 'https://[2001:db8::1]:8443'],
  ['SMTP_URL', 'smtps://mail.example.org'],
  ['MAIL_FROM', 'Pocket Future <no-reply@example.org>'],
  ['MAIL_FROM', 'no-reply@example.org'],
  ['MAIL_FROM', 'no-reply@localhost'],
  ['TRUST_PROXY', 'loopback, 10.0.0.0/8,2001:db8::/32,192.168.0.1'],
  ['DRAIN_SECONDS', '9'],
]

for (const [name, value] of ACCEPTED)
  test(`accepts ${name}=${value}`, () => assert.deepEqual(problemsOf({ [name]: value }), []))

test('parses TRUST_PROXY as a list', () => {
  assert.deepEqual(configFrom({ TRUST_PROXY: 'loopback, 10.0.0.0/8' }).trustProxy, ['loopback', '10.0.0.0/8'])
})
