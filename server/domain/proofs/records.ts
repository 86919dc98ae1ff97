import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ProofClaim } from '#contract/proofs/proof.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { Change, Known, Outcome } from './rules.ts'

/** Names the token in the database: another contract or chain starts over. */
export const tokenKey = ({ token, chain }: Pick<CampaignFile, 'token' | 'chain'>) =>
  `${chain.id}:${token.contract.toLowerCase()}`

/** The id of a turn to ask the chain; the answer of an earlier turn does not count. */
export type Turn = string

/** One atomic statement, so that one node asks in a minute. @returns undefined if it is not a minute yet. */
export async function takeTurn(db: Database, token: string): Promise<Turn | undefined> {
  // A moment far in the future was written before the clock was set back; calls that overlap differ by less.
  const { rows } = await sql<{ turn: Turn }>`
    insert into token_checks as c (token, asked_at) values (${token}, now())
    on conflict (token) do update set asked_at = now()
      where c.asked_at <= now() - interval '1 minute' or c.asked_at > now() + interval '1 minute'
    returning asked_at::text as turn`.execute(db)
  return rows[0]?.turn
}

/** Locks the token's records. @returns seconds since 1970; undefined if somebody has asked since. */
export async function endTurn(tx: Tx, token: string, turn: Turn): Promise<number | undefined> {
  const { rows } = await sql<{ now: number }>`
    update token_checks set answered_at = now() where token = ${token} and asked_at = ${turn}::timestamptz
    returning extract(epoch from now())::float8 as now`.execute(tx)
  return rows[0]?.now
}

/** When the newest check was written down, in ISO 8601; null before the first. */
export async function readCheckedAt(db: Database, token: string): Promise<string | null> {
  const check = await db
    .selectFrom('token_checks')
    .select('answered_at')
    .where('token', '=', token)
    .executeTakeFirst()
  return check?.answered_at?.toISOString() ?? null
}

const epoch = (column: string) => sql<number | null>`extract(epoch from ${sql.ref(column)})::float8`

/** What is known, by claim. */
export async function readKnown(db: Database | Tx, token: string): Promise<Map<ProofClaim, Known>> {
  const rows = await db
    .selectFrom('token_proofs')
    .select(['claim', 'told'])
    .select([
      sql<Outcome | null>`conclusion`.as('conclusion'),
      sql<Outcome | null>`trouble`.as('trouble'),
      epoch('concluded_at').as('concludedAt'),
      epoch('told_at').as('toldAt'),
      epoch('told_before_at').as('toldBeforeAt'),
    ])
    .where('token', '=', token)
    .execute()
  return new Map(rows.map(({ claim, ...known }) => [claim as ProofClaim, known as Known]))
}

const moment = (seconds: number | null) => sql<Date | null>`to_timestamp(${seconds}::float8)`
const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export async function writeKnown(tx: Tx, token: string, claim: ProofClaim, known: Known): Promise<void> {
  const values = {
    conclusion: json(known.conclusion),
    concluded_at: moment(known.concludedAt),
    trouble: json(known.trouble),
    told: known.told,
    told_at: moment(known.toldAt),
    told_before_at: moment(known.toldBeforeAt),
  }
  await tx
    .insertInto('token_proofs')
    .values({ token, claim, ...values })
    .onConflict((conflict) => conflict.columns(['token', 'claim']).doUpdateSet(values))
    .execute()
}

/** A row of the history. */
export type Recorded = Change & { claim: ProofClaim; block: number | null }

/** The newest rows of each claim's history, newest first. Uses token_proof_changes_by_claim. */
export async function readChanges(db: Database | Tx, token: string, limit: number): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    select p.claim, h.verdict, h.reason, h.block, extract(epoch from h.at)::float8 as at
    from token_proofs p cross join lateral (
      select * from token_proof_changes where token = p.token and claim = p.claim
      order by at desc, id desc limit ${limit}) h
    where p.token = ${token} order by p.claim, h.at desc, h.id desc`.execute(db)
  return rows
}

export async function addChange(tx: Tx, token: string, change: Omit<Recorded, 'at'>): Promise<void> {
  const { claim, verdict, reason, block } = change
  await tx
    .insertInto('token_proof_changes')
    .values({ id: newId(), token, claim, verdict, reason: JSON.stringify(reason), block })
    .execute()
}
