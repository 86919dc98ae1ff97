import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { GENESIS, hashOf, type Sealed } from './chain.ts'
import { journalColumns } from './entries.ts'

/** Any number will do, as long as nothing else in the database locks it. */
const SEALER_LOCK = 5_369_004
/** Acts sealed by one transaction: short enough for the time-outs of requests. */
const AT_ONCE = 500

/**
 * Numbers and hashes what was recorded, and publishes the head of the day. Of several nodes one does it; the
 * others go on. Nobody who records waits for this. `heard` gets what was sealed: each act once over all nodes.
 */
export async function sealJournal(
  db: Database,
  heard: (acts: readonly Act[]) => void = () => {},
): Promise<void> {
  while (await hasPending(db)) {
    const acts = await sealSome(db)
    if (!acts) return
    heard(acts)
  }
  await publishHead(db)
}

async function hasPending(db: Database): Promise<boolean> {
  return (await db.selectFrom('journal_pending').select('entry').limit(1).executeTakeFirst()) !== undefined
}

/** @returns undefined when another node is at it. */
function sealSome(db: Database): Promise<Act[] | undefined> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${SEALER_LOCK}) as mine`.execute(tx)
    if (!rows[0]?.mine) return undefined
    const acts = await readPending(tx)
    const seals = chain(await lastSeal(tx), acts)
    if (seals.length > 0) await tx.insertInto('journal_seals').values(seals).execute()
    return acts
  })
}

export type Act = Omit<Sealed, 'number' | 'previous'>
type Seal = { number: number; hash: string }

async function lastSeal(tx: Tx): Promise<Seal> {
  const last = await tx
    .selectFrom('journal_seals')
    .select(['number', sql<string>`encode(hash, 'hex')`.as('hash')])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ?? { number: 0, hash: GENESIS }
}

/** What is committed by now, by when it was made. What commits later comes later in the chain. */
function readPending(tx: Tx): Promise<Act[]> {
  return tx
    .selectFrom('journal_pending as p')
    .innerJoin('journal as j', 'j.id', 'p.entry')
    .select(journalColumns)
    .orderBy('p.entry')
    .limit(AT_ONCE)
    .execute()
}

function chain(last: Seal, acts: readonly Act[]) {
  let { number, hash } = last
  return acts.map((act) => {
    number += 1
    hash = hashOf({ ...act, number, previous: hash })
    return { number, entry: act.id, hash: Buffer.from(hash, 'hex') }
  })
}

/** The first sealer of a day (UTC) publishes how far the chain had come. */
async function publishHead(db: Database): Promise<void> {
  await sql`
    insert into journal_heads (day, number, hash)
    select today.day, s.number, s.hash
    from (select (now() at time zone 'UTC')::date as day) today,
      lateral (select number, hash from journal_seals order by number desc limit 1) s
    where not exists (select from journal_heads h where h.day = today.day)
    on conflict do nothing`.execute(db)
}
