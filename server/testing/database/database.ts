import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import pg from 'pg'
import {
  type Database,
  openDatabase,
  openPool,
  type PoolOptions,
} from '#server/platform/database/database.ts'
import { SERVING_ROLE } from '#server/platform/database/embedded/cluster.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import {
  migrate,
  MIGRATIONS_TABLE,
  readMigrations,
  RECORD_MIGRATION,
} from '#server/platform/database/migrate.ts'

export type TestDatabase = {
  /** Connects as the serving role, so that tests fail if the product lacks a privilege. */
  db: Database
  pool: pg.Pool
  url: string
  /** Connects as the owner, who migrates. */
  ownerUrl: string
}

/** For tests that are not about timeouts: a busy machine may stall for longer than the product waits. */
export const LONG_TIMEOUT = { timeoutMs: 60_000 } as const satisfies PoolOptions

/**
 * A database cloned in about 20 ms from a template that is migrated once per run, and dropped after the test.
 * The server is that of the test run (TEST_DATABASE_URL), or else one that this process starts.
 */
export async function testDatabase(t: TestContext, poolOptions: PoolOptions = {}): Promise<TestDatabase> {
  const server = await serverUrl()
  // If fsync is off, copying files takes a third less processor time than writing to the WAL. It also copies
  // the template's relation cache, so that the first connection need not build one.
  template ??= makeTemplate(server)
  const options = `template ${await template} strategy file_copy`
  const { url: ownerUrl, drop } = await createDatabase(server, options)
  const url = urlWith(ownerUrl, { username: SERVING_ROLE })
  const pool = openPool(url, { ...LONG_TIMEOUT, ...poolOptions })
  t.after(async () => {
    await pool.end()
    await drop()
  })
  return { db: openDatabase(pool), pool, url, ownerUrl }
}

export async function migrateAsOwner(ownerUrl: string): Promise<void> {
  const owner = openPool(ownerUrl, { ...LONG_TIMEOUT, max: 1 })
  await migrate(owner, () => {}, SERVING_ROLE).finally(() => owner.end())
}

/** A single connection as the owner of a test's database, closed after the test. */
export function ownerPool(t: TestContext, { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>): pg.Pool {
  const pool = openPool(ownerUrl, { ...LONG_TIMEOUT, max: 1 })
  t.after(() => pool.end())
  return pool
}

/** An empty database, dropped after the test. `connect` opens pools as its owner. */
export async function emptyDatabase(t: TestContext) {
  const { url, drop } = await createDatabase(await serverUrl(), '')
  const pools: pg.Pool[] = []
  t.after(async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    await drop()
  })
  const connect = (options?: pg.PoolConfig) => {
    const pool = new pg.Pool({ connectionString: url, ...options })
    // `end` does not wait until connections are closed, so the drop may terminate one.
    pool.on('error', () => {})
    pools.push(pool)
    return pool
  }
  return { url, connect }
}

/** A database with the schema from before the named migration, dropped after the test. */
export async function databaseBefore(t: TestContext, name: string): Promise<pg.Pool> {
  const pool = (await emptyDatabase(t)).connect()
  await schemaBefore(pool, name)
  return pool
}

export async function schemaBefore(client: pg.Pool | pg.Client, name: string): Promise<void> {
  const migrations = await readMigrations()
  const end = migrations.findIndex((migration) => migration.name.endsWith(`_${name}.sql`))
  if (end < 0) throw new Error(`There is no migration ${name}.`)
  await client.query(MIGRATIONS_TABLE)
  for (const { name: applied, sql, sha256 } of migrations.slice(0, end)) {
    await client.query(sql)
    await client.query(RECORD_MIGRATION, [applied, sha256])
  }
}

/** A login role whose name needs quoting. Dropped after earlier databases, which may grant it rights. */
async function createRole(t: TestContext): Promise<string> {
  const server = await serverUrl()
  const name = `Serves "${randomBytes(8).toString('hex')}"`
  await administer(server, `create role ${pg.escapeIdentifier(name)} login`)
  t.after(() => administer(server, `drop role ${pg.escapeIdentifier(name)}`))
  return name
}

/** An empty database, a connection as its owner, a serving role, and the environment that names both. */
export async function twoRoles(t: TestContext) {
  const { url: ownerUrl, connect } = await emptyDatabase(t)
  const role = await createRole(t)
  const url = urlWith(ownerUrl, { username: encodeURIComponent(role) })
  return { owner: connect({ max: 1 }), role, env: { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl } }
}

async function createDatabase(server: string, options: string) {
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name} ${options}`)
  return {
    url: urlWith(server, { pathname: name }),
    drop: () => administer(server, `drop database ${name} with (force)`),
  }
}

let administration: pg.Pool | undefined
let runningServer: Promise<string> | undefined
let stopServer = async () => {}
// At file level, because a hook inside a test would stop the server after that test.
after(async () => {
  await administration?.end()
  await stopServer()
})

function serverUrl(): Promise<string> {
  runningServer ??= process.env['TEST_DATABASE_URL']
    ? Promise.resolve(process.env['TEST_DATABASE_URL'])
    : startServer()
  return runningServer
}

async function startServer(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dropwright-test-'))
  const log = () => {}
  const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, log })
  stopServer = async () => {
    await stop()
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
  return ownerUrl
}

const TEMPLATE_LOCK = 369_000_001 // any number that no other lock has
let template: Promise<string> | undefined

/** Test files of one run share the template. The first creates it, the others wait. */
async function makeTemplate(server: string): Promise<string> {
  const name = await templateName()
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const existing = await client.query('select from pg_database where datname = $1', [name])
    if (existing.rowCount === 0) await buildTemplate(server, client, name)
    return name
  } finally {
    await client.end()
  }
}

/** A name with a hash of the migrations, so that a long-lived server has no stale template. */
async function templateName(): Promise<string> {
  const schema = (await readMigrations()).map(({ sha256 }) => sha256).join()
  return `template_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`
}

/** The template gets its name once it is complete: a crash must not leave one with half of the migrations. */
async function buildTemplate(server: string, client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name}_new`)
  await client.query(`create database ${name}_new`)
  await migrateAsOwner(urlWith(server, { pathname: `${name}_new` }))
  await client.query(`alter database ${name}_new rename to ${name}`)
}

/** Uses one connection in this process, because opening one takes as long as creating a database. */
async function administer(server: string, statement: string): Promise<void> {
  administration ??= openAdministration(server)
  await administration.query(statement)
}

function openAdministration(server: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: server, max: 1, idleTimeoutMillis: 0 })
  // Without a listener, a lost connection would end the process. It already fails the next statement.
  pool.on('error', () => {})
  return pool
}

type UrlParts = Pick<URL, 'username' | 'password' | 'pathname' | 'search'>

/** The URL of a database with another user, password, database (`pathname`) or parameters. */
export const urlWith = (url: string, changes: Partial<UrlParts>): string =>
  Object.assign(new URL(url), changes).href

/** `countOf` counts the statements that some work sends through `db`. */
export function countStatements(database: Database) {
  let statements = 0
  const db = database.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const countOf = async (work: () => Promise<unknown>) => {
    statements = 0
    await work()
    return statements
  }
  return { db, countOf }
}
