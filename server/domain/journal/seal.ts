import { sql } from 'kysely'
import { tryLock } from '#server/platform/database/advisory-lock.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { GENESIS, hashOf, type Sealed } from './chain.ts'
import { journalColumns } from './read-journal.ts'

const SEALER_LOCK = 5_369_004
/** Entries per transaction: few enough for the statement timeout. */
const BATCH_SIZE = 500

/**
 * Makes the journal tamper-evident: gives recorded entries their numbers and hashes, and publishes the newest
 * hash once a day (UTC). While one node seals, others return at once. Recording never waits.
 * @param onSealed gets each entry at most once across all nodes.
 */
export async function sealJournal(
  db: Database,
  onSealed: (entries: readonly RecordedEntry[]) => void = () => {},
): Promise<void> {
  while (await hasPending(db)) {
    const entries = await sealBatch(db)
    if (!entries) return
    onSealed(entries)
  }
  await publishHead(db)
}

async function hasPending(db: Database): Promise<boolean> {
  return (await db.selectFrom('journal_pending').select('entry').limit(1).executeTakeFirst()) !== undefined
}

/** @returns undefined while another node holds the lock. */
function sealBatch(db: Database): Promise<RecordedEntry[] | undefined> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, SEALER_LOCK))) return undefined
    const entries = await readPending(tx)
    const seals = sealEntries(await readLastSeal(tx), entries)
    if (seals.length > 0) await tx.insertInto('journal_seals').values(seals).execute()
    return entries
  })
}

export type RecordedEntry = Omit<Sealed, 'number' | 'previous'>
type Seal = { number: number; hash: string }

async function readLastSeal(tx: Tx): Promise<Seal> {
  const last = await tx
    .selectFrom('journal_seals')
    .select(['number', sql<string>`encode(hash, 'hex')`.as('hash')])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { number: 0, hash: GENESIS }
}

/** Committed entries in order of creation. One that commits late is sealed after newer entries. */
function readPending(tx: Tx): Promise<RecordedEntry[]> {
  return tx
    .selectFrom('journal_pending as p')
    .innerJoin('journal as j', 'j.id', 'p.entry')
    .select(journalColumns)
    .orderBy('p.entry')
    .limit(BATCH_SIZE)
    .execute()
}

function sealEntries(last: Seal, entries: readonly RecordedEntry[]) {
  let { number, hash } = last
  return entries.map((entry) => {
    number += 1
    hash = hashOf({ ...entry, number, previous: hash })
    return { number, entry: entry.id, hash: Buffer.from(hash, 'hex') }
  })
}

async function publishHead(db: Database): Promise<void> {
  await sql`
    insert into journal_heads (day, number, hash)
    select today.day, s.number, s.hash
    from (select (now() at time zone 'UTC')::date as day) today,
      lateral (select number, hash from journal_seals order by number desc limit 1) s
    where not exists (select from journal_heads h where h.day = today.day)
    on conflict do nothing`.execute(db)
}
