import { sql } from 'kysely'
import type { Check } from '#contract/evidence.ts'
import type { Database, Tx } from '../platform/database.ts'
import type { Finding } from './finding.ts'

/** Seconds until what could not be told is asked again, by how often it was. */
const BACKOFF = [30, 120, 600, 3600]
/** Nothing is asked again later than this after the claim. */
const GIVE_UP = '1 day'
/** Seconds; a service that wants to be left alone for longer is asked all the same, once an hour. */
const LONGEST = 3600

/** The checks of a claim that nobody did yet, and those whose next try is due. */
export async function readDueChecks(
  db: Database,
  claimId: string,
  checks: readonly Check[],
): Promise<Set<Check>> {
  const { rows } = await sql<{ name: Check }>`
    select name from unnest(${checks}::text[]) as name
    left join evidence e on e.claim_id = ${claimId} and e.check_name = name
    where e.claim_id is null or e.next_try_at <= now()`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Whether any check of a claim was done, also where it could not tell. */
export async function recordCheck(tx: Tx, claimId: string): Promise<boolean> {
  const looked = await tx
    .selectFrom('evidence')
    .select('claim_id')
    .where('claim_id', '=', claimId)
    .where('tries', '>', 0)
    .executeTakeFirst()
  return looked !== undefined
}

/**
 * Keeps what was seen, in place of what was seen before. What one look could tell is not taken back by
 * another that could not.
 */
export async function saveFindings(tx: Tx, claimId: string, findings: readonly Finding[]): Promise<void> {
  await sql`
    with found as (
      select f.*, coalesce(e.tries, 0) + 1 as tries,
        case when f.after is null
          then (${BACKOFF}::integer[])[least(coalesce(e.tries, 0) + 1, ${BACKOFF.length})]
          else least(greatest(f.after, 1), ${LONGEST}) end as wait
      from jsonb_to_recordset(${JSON.stringify(findings.map(asRow))}) as f (name text, outcome text,
        detail text, source text, http_status integer, seen text, seen_hash text, again boolean, after integer)
      left join evidence e on e.claim_id = ${claimId} and e.check_name = f.name)
    insert into evidence as e (claim_id, check_name, outcome, detail, source, http_status, seen, seen_hash,
      tries, next_try_at)
    select c.id, name, outcome, detail, source, http_status, seen, seen_hash, tries,
      case when again and now() + make_interval(secs => wait) < c.submitted_at + ${sql.lit(GIVE_UP)}::interval
        then now() + make_interval(secs => wait) end
    from found, (select id, submitted_at from claims where id = ${claimId}) c
    on conflict (claim_id, check_name) do update set outcome = excluded.outcome, detail = excluded.detail,
      source = excluded.source, http_status = excluded.http_status, seen = excluded.seen,
      seen_hash = excluded.seen_hash, tries = excluded.tries, next_try_at = excluded.next_try_at,
      checked_at = now()
    where e.outcome = 'could_not_tell' or excluded.outcome <> 'could_not_tell'`.execute(tx)
}

function asRow({ check, outcome, detail, source, seen, again }: Finding) {
  return {
    name: check,
    outcome,
    detail,
    source,
    http_status: seen?.status ?? null,
    seen: seen?.text ?? null,
    seen_hash: seen?.hash ?? null,
    again: again !== undefined && outcome === 'could_not_tell',
    after: again?.after === undefined ? null : Math.ceil(again.after),
  }
}

/** Until the first check that is asked again; undefined when none is. */
export async function secondsUntilNextTry(tx: Tx, claimId: string): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from min(next_try_at) - now())::float8 as seconds
    from evidence where claim_id = ${claimId}`.execute(tx)
  const seconds = rows[0]?.seconds
  return seconds === null || seconds === undefined ? undefined : Math.max(0, seconds)
}
