import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { backUp } from '../domain/backups/back-up.ts'
import { sealJournal } from '../domain/journal/seal.ts'
import { seedParticipants } from '../domain/seed/seed-participants.ts'
import { openDatabase } from '../platform/database/database.ts'
import campaign from './campaign.ts'
import { emptyDatabase, testDatabase, twoRoles, urlWith } from './database/database.ts'
import { testDeps } from './deps.ts'
import { scratchFolder } from './scratch-folder.ts'
import { ANY_ENTRY, recordEntries } from './journal.ts'

/**
 * A database with participants, claims and credits. Its pool has no `application_name`, so that a restore
 * does not take it for a running node.
 */
export async function campaignDatabase(t: TestContext, participants = 40) {
  const { ownerUrl: url } = await testDatabase(t)
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {})
  t.after(() => pool.end())
  const db = openDatabase(pool)
  const deps = await testDeps(db)
  await seedParticipants({ db, campaign, passwordHash: 'none' }, participants)
  return { pool, db, deps, url }
}

/** URLs of an empty database: as its owner, who may do nothing else on the server, and as a serving role. */
export async function ordinaryOwner(t: TestContext) {
  const { owner: administrator, env } = await twoRoles(t)
  const name = `owner_${randomBytes(8).toString('hex')}`
  await administrator.query(`create role ${name} login nosuperuser nocreatedb nocreaterole`)
  const database = new URL(env.DATABASE_OWNER_URL).pathname.slice(1)
  await administrator.query(`alter database ${pg.escapeIdentifier(database)} owner to ${name}`)
  t.after(() => removeRole(env.DATABASE_OWNER_URL, name))
  return { ownerUrl: urlWith(env.DATABASE_OWNER_URL, { username: name }), url: env.DATABASE_URL }
}

/** Drops a role, which PostgreSQL refuses until the role's database has been dropped. */
async function removeRole(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlWith(url, { pathname: 'postgres' }) })
  await client.connect()
  await client.query(`drop role ${name}`).finally(() => client.end())
}

export const SECRET = 'a secret that stays outside the database'

/** A backup of a campaign, in the campaign's DATA_DIR. */
export async function backedUp(t: TestContext) {
  const source = await campaignDatabase(t)
  await recordEntries(source.db, ANY_ENTRY)
  await sealJournal(source.db)
  const dataDir = await scratchFolder(t)
  await writeFile(path.join(dataDir, 'app-secret'), SECRET)
  const file = path.join(dataDir, 'campaign.backup')
  const runBackup = () => backUp({ url: source.url, dataDir, appSecret: undefined }, file)
  return { ...source, file, dataDir, backUpAgain: runBackup, backup: await runBackup() }
}

/** An empty database and data folder to restore into. */
export async function emptyTarget(t: TestContext) {
  const { url, connect } = await emptyDatabase(t)
  const pool = connect()
  const dataDir = await scratchFolder(t)
  const target = { url, ownerUrl: url, dataDir, appSecret: undefined }
  return { pool, db: openDatabase(pool), dataDir, target }
}

/** Writes a changed copy of a backup, ending with the right checksum, to `target`. @returns `target`. */
export async function copyChanged(
  file: string,
  target: string,
  change: (text: string) => string,
): Promise<string> {
  const lines = change(gunzipSync(await readFile(file)).toString())
    .trimEnd()
    .split('\n')
  const { rows } = JSON.parse(lines.pop() ?? '') as { rows: number }
  const body = `${lines.join('\n')}\n`
  const sha256 = createHash('sha256').update(body).digest('hex')
  await writeFile(target, gzipSync(`${body}${JSON.stringify({ rows, sha256 })}\n`))
  return target
}
