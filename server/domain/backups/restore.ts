import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { UnusableArchive } from '#server/platform/database/archive/format.ts'
import { openArchive, verifyArchive } from '#server/platform/database/archive/read-archive.ts'
import { migrationsOf, readRelations, rebuild } from '#server/platform/database/archive/rebuild.ts'
import {
  connectForArchive,
  disconnect,
  countLastingSessions,
  countServingSessions,
  TRANSACTION_SETTINGS,
} from '#server/platform/database/archive/session.ts'
import { count } from '#server/platform/count.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database.types.ts'
import { grantTo } from '#server/platform/database/grants.ts'
import {
  type Migration,
  MIGRATION_LOCK,
  readMigrations,
  SCHEMA_LOCK,
} from '#server/platform/database/migrate.ts'
import { readSecret, SECRET_FILE } from '#server/platform/secrets.ts'
import { readSealedLines } from '../journal/export-journal.ts'
import { type Verification, verifyJournal } from '../journal/verify.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { type CopiedFile, copiedName } from './campaign-copy.ts'
import { dropPreparedSecret, fingerprintOf, prepareSecret, putSecretInPlace } from './secret-file.ts'
import { resetTransientState } from './reset-transient-state.ts'

/** A backup that was read to its end and fits this program. */
export type CheckedBackup = {
  file: string
  takenAt: Date
  rows: number
  migrations: readonly Migration[]
  secretFingerprint: string | undefined
}

/** @throws UnusableArchive when the file is damaged, cut off, not a backup, or newer than this program. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const { head, rows } = await verifyArchive(file)
  const takenAt = new Date(head.createdAt)
  const migrations = await migrationsOf(head, file)
  return { file, takenAt, rows, migrations, secretFingerprint: head.secretFingerprint }
}

type RestoreTarget = {
  /** For the role that owns the tables; not through a pooler. */
  ownerUrl: string
  /** For the role that serves, which may be the same; not through a pooler. */
  url: string
  dataDir: string
  /** APP_SECRET of the environment, if there is one. */
  appSecret: string | undefined
}

type RestoreOptions = {
  /** Replaces even a database with participants. */
  force?: boolean
  /** Sends the emails that were queued in the backup. */
  sendMail?: boolean
}

export type Restored = {
  journal: Verification
  /** What {@link checkLedger} found wrong, a line each. */
  ledger: string[]
  /** How many queued emails were given up. */
  unsentMails: number
  /** Tables in the backup that are not the product's. */
  leftOut: string[]
  /**
   * `restored`: put in place, or the backup needs none. `same`: the target has the backup's secret already.
   * `other`: APP_SECRET differs. `missing`: APP_SECRET is not set, and neither DATA_DIR nor the backup has
   * the secret.
   */
  secret: 'restored' | 'same' | 'other' | 'missing'
  /** The campaign file and its pictures, for the caller to place; empty if the backup has none. */
  campaignFiles: CopiedFile[]
}

/**
 * Replaces a database and the secret in DATA_DIR by a backup, in one transaction: before the commit, a crash
 * leaves everything as it was.
 * @throws with the reason in one line if a node or a command is connected to the database, if it has
 * participants and `force` is not set, or if objects of other programs would be lost.
 */
export async function restore(
  target: RestoreTarget,
  backup: CheckedBackup,
  { force = false, sendMail = false }: RestoreOptions = {},
): Promise<Restored> {
  const restoreId = randomUUID()
  const servingRole = target.ownerUrl === target.url ? undefined : await readRole(target.url)
  const client = await connectForArchive(target.ownerUrl)
  let isCommitting = false
  try {
    refuseInUse(await countLastingSessions(client))
    await beginLocked(client)
    // Again, now that no node can start: one may have connected while the first count waited.
    refuseInUse(await countServingSessions(client))
    if (!force) await refuseParticipants(client)
    const relationsBefore = await readRelations(client)
    const isDatabaseNewer = await isNewerThanProgram(client)
    const { secret, ...loaded } = await load(client, backup)
    const restoresSecret = secret !== undefined && target.appSecret === undefined
    if (restoresSecret) await prepareSecret(target.dataDir, restoreId, secret)
    const tx = transactionOn(client)
    // Also records the run, which tells the next start that the restore was committed.
    const unsentMails = await resetTransientState(tx, {
      restoreId,
      file: path.resolve(backup.file),
      takenAt: backup.takenAt,
      sendMail,
    })
    if (servingRole !== undefined)
      await grantTo((text, values = []) => client.query(text, [...values]), servingRole)
    const journal = await verifyJournal(readSealedLines(tx))
    const ledger = await checkLedger(tx)
    refuseLosses(relationsBefore, await readRelations(client), isDatabaseNewer)
    isCommitting = true
    await client.query('commit')
    if (restoresSecret) await putSecretInPlace(target.dataDir, restoreId)
    // Without statistics, PostgreSQL would plan the first queries badly.
    await client.query('analyze').catch(() => {})
    const secretState = restoresSecret ? 'restored' : await compareSecrets(target, backup)
    return { journal, ledger, ...loaded, unsentMails, secret: secretState }
  } catch (error) {
    // If the commit got no answer, the next start finds out whether it was carried out.
    if (!isCommitting) await dropPreparedSecret(target.dataDir, restoreId)
    throw error
  } finally {
    await disconnect(client)
  }
}

async function readRole(url: string): Promise<string> {
  const client = await connectForArchive(url)
  try {
    const { rows } = await client.query<{ role: string }>('select current_user as role')
    return rows[0]?.role ?? ''
  } finally {
    await disconnect(client)
  }
}

/** Begins a transaction whose locks wait for a backup in progress, and keep nodes from starting. */
async function beginLocked(client: pg.Client): Promise<void> {
  await client.query('begin')
  await client.query(TRANSACTION_SETTINGS)
  await client.query('select pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)', [
    MIGRATION_LOCK,
    SCHEMA_LOCK,
  ])
}

function refuseInUse(sessions: number): void {
  if (sessions > 0)
    throw new Error(
      `The database is in use: the server or another command has ${count(sessions, 'open connection')}. Stop every node first.`,
    )
}

async function refuseParticipants(client: pg.Client): Promise<void> {
  if (!(await hasTable(client, 'users'))) return
  const { rows } = await client.query<{ participants: number }>(
    `select count(*)::int as participants from public.users where role = 'user'`,
  )
  const participants = rows[0]?.participants ?? 0
  if (participants > 0)
    throw new Error(
      `The database holds ${count(participants, 'participant')}, whom a restore would replace. Back it up, then use --force.`,
    )
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select where to_regclass($1) is not null', [`public.${name}`])
  return rowCount === 1
}

async function isNewerThanProgram(client: pg.Client): Promise<boolean> {
  if (!(await hasTable(client, 'migrations'))) return false
  const known = (await readMigrations()).map(({ name }) => name)
  const { rowCount } = await client.query('select from public.migrations where name <> all($1)', [known])
  return (rowCount ?? 0) > 0
}

type Loaded = Pick<Restored, 'leftOut' | 'campaignFiles'> & { secret: string | undefined }

async function load(client: pg.Client, { file, migrations }: CheckedBackup): Promise<Loaded> {
  const archive = await openArchive(file)
  const campaignFiles: CopiedFile[] = []
  let secret: string | undefined
  const onFile = async (name: string, content: Buffer) => {
    const campaignFileName = copiedName(name)
    if (campaignFileName !== undefined) campaignFiles.push({ name: campaignFileName, content })
    else if (name === SECRET_FILE) secret = content.toString()
    else throw new UnusableArchive(`${file} holds a file that nobody knows: ${name}.`)
  }
  try {
    const leftOut = await rebuild(client, { archive, migrations, onFile })
    return { leftOut, campaignFiles, secret }
  } finally {
    archive.close()
  }
}

/** If a later version has migrated the database, everything in `public` may be the program's own. */
function refuseLosses(before: ReadonlySet<string>, after: ReadonlySet<string>, isNewer: boolean): void {
  const lost = [...before].filter((name) => !after.has(name) && !(isNewer && name.startsWith('public.')))
  if (lost.length > 0)
    throw new Error(
      `The database also holds objects that do not belong to this program and would be lost: ${lost.toSorted().join(', ')}. Remove them first.`,
    )
}

export async function compareSecrets(
  { appSecret, dataDir }: Pick<RestoreTarget, 'appSecret' | 'dataDir'>,
  { secretFingerprint }: Pick<CheckedBackup, 'secretFingerprint'>,
): Promise<Restored['secret']> {
  if (secretFingerprint === undefined) return 'restored'
  const present = appSecret ?? (await readSecret(dataDir))
  if (present !== undefined && fingerprintOf(present) === secretFingerprint) return 'same'
  return appSecret === undefined ? 'missing' : 'other'
}

/** Wraps the transaction that is open on a connection. */
function transactionOn(client: pg.Client): Tx {
  const connection = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: () => Promise.resolve(connection), end: () => Promise.resolve() }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) }) as Tx
}

export const problemsOf = ({ journal, ledger }: Pick<Restored, 'journal' | 'ledger'>): string[] => [
  ...(journal.ok ? [] : [`the journal does not verify: line ${journal.line}, ${journal.why}`]),
  ...ledger,
]
