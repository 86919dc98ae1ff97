import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ProofClaim } from '#contract/token-proofs/proof.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { type Change, MAX_AHEAD_SECONDS, type ProofState, type Outcome } from './proof-state.ts'

/** The key of a token in the database. With another contract or chain, the history begins anew. */
export const tokenKey = ({ token, chain }: Pick<CampaignFile, 'token' | 'chain'>) =>
  `${chain.id}:${token.contract.toLowerCase()}`

/** Identifies a check, whose answer does not count once another check has begun. */
export type CheckId = string

/** @returns undefined if any node has begun a check within the last minute. */
export async function beginCheck(db: Database, token: string): Promise<CheckId | undefined> {
  // A time more than a minute ahead does not belong to a concurrent call. The clock was set back.
  const { rows } = await sql<{ id: CheckId }>`
    insert into token_checks as c (token, asked_at) values (${token}, now())
    on conflict (token) do update set asked_at = now()
      where c.asked_at <= now() - interval '1 minute' or c.asked_at > now() + interval '1 minute'
    returning asked_at::text as id`.execute(db)
  return rows[0]?.id
}

/** @returns the time in seconds since 1970, or undefined if another check has begun meanwhile. */
export async function endCheck(tx: Tx, token: string, id: CheckId): Promise<number | undefined> {
  const { rows } = await sql<{ now: number }>`
    update token_checks set answered_at = now() where token = ${token} and asked_at = ${id}::timestamptz
    returning extract(epoch from now())::float8 as now`.execute(tx)
  return rows[0]?.now
}

/** When the newest check ended, as an ISO 8601 time. Null before the first. */
export async function readCheckedAt(db: Database, token: string): Promise<string | null> {
  const check = await db
    .selectFrom('token_checks')
    .select('answered_at')
    .where('token', '=', token)
    .executeTakeFirst()
  return check?.answered_at?.toISOString() ?? null
}

const epoch = (column: string) => sql<number | null>`extract(epoch from ${sql.ref(column)})::float8`

export async function readProofStates(
  db: Database | Tx,
  token: string,
): Promise<Map<ProofClaim, ProofState>> {
  const rows = await db
    .selectFrom('token_proofs')
    .select(['claim', 'told as notifiedVerdict'])
    .select([
      sql<Outcome | null>`conclusion`.as('conclusion'),
      sql<Outcome | null>`trouble`.as('inconclusive'),
      epoch('concluded_at').as('concludedAt'),
      epoch('told_at').as('notifiedAt'),
      epoch('told_before_at').as('previouslyNotifiedAt'),
    ])
    .where('token', '=', token)
    .execute()
  return new Map(rows.map(({ claim, ...state }) => [claim as ProofClaim, state as ProofState]))
}

const moment = (seconds: number | null) => sql<Date | null>`to_timestamp(${seconds}::float8)`
const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export async function writeProofState(
  tx: Tx,
  token: string,
  claim: ProofClaim,
  state: ProofState,
): Promise<void> {
  const values = {
    conclusion: json(state.conclusion),
    concluded_at: moment(state.concludedAt),
    trouble: json(state.inconclusive),
    told: state.notifiedVerdict,
    told_at: moment(state.notifiedAt),
    told_before_at: moment(state.previouslyNotifiedAt),
  }
  await tx
    .insertInto('token_proofs')
    .values({ token, claim, ...values })
    .onConflict((conflict) => conflict.columns(['token', 'claim']).doUpdateSet(values))
    .execute()
}

export type HistoryRow = Change & { claim: ProofClaim; block: number | null }

/**
 * The newest `limit` rows of each claim's history, newest first. Leaves out rows from before the clock was
 * set back, which would otherwise stay the newest until the clock catches up. Uses the index
 * `token_proof_changes_by_claim`.
 */
export async function readChanges(db: Database | Tx, token: string, limit: number): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select p.claim, h.verdict, h.reason, h.block, extract(epoch from h.at)::float8 as at
    from token_proofs p cross join lateral (
      select * from token_proof_changes
      where token = p.token and claim = p.claim
        and at <= now() + make_interval(secs => ${MAX_AHEAD_SECONDS})
      order by at desc, id desc limit ${limit}) h
    where p.token = ${token} order by p.claim, h.at desc, h.id desc`.execute(db)
  return rows
}

export async function addChange(tx: Tx, token: string, change: Omit<HistoryRow, 'at'>): Promise<void> {
  const { claim, verdict, reason, block } = change
  await tx
    .insertInto('token_proof_changes')
    .values({ id: newId(), token, claim, verdict, reason: JSON.stringify(reason), block })
    .execute()
}
