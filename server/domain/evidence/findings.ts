import { sql, type Selectable } from 'kysely'
import {
  type EvidenceCheck,
  EVIDENCE_CHECKS,
  type CheckOutcome,
  type Evidence,
} from '#contract/claims/evidence.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import type { Evidence as EvidenceRow } from '#server/platform/database/database.types.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { type Finding, type Found, sentenceOf, sourceNameIn } from './finding.ts'

/** How long to wait after the first try, the second and so on. The last value repeats. */
const BACKOFF_SECONDS = [30, 120, 600, 3600]
/** For how long after its submission a claim's checks are retried. */
const GIVE_UP_AFTER = '1 day'
/** The longest delay that a service can ask for. */
const MAX_WAIT_SECONDS = 3600

export async function readDueChecks(
  db: Database,
  claimId: string,
  checks: readonly EvidenceCheck[],
): Promise<Set<EvidenceCheck>> {
  const { rows } = await sql<{ name: EvidenceCheck }>`
    select name from unnest(${checks}::text[]) as name
    left join evidence e on e.claim_id = ${claimId} and e.check_name = name
    where e.claim_id is null or e.next_try_at <= now()`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Whether any check of a claim has run. Evidence without a try stands for checks that are late. */
export async function wasChecked(tx: Tx, claimId: string): Promise<boolean> {
  const checked = await tx
    .selectFrom('evidence')
    .select('claim_id')
    .where('claim_id', '=', claimId)
    .where('tries', '>', 0)
    .executeTakeFirst()
  return checked !== undefined
}

/** An inconclusive finding never replaces a conclusive one. */
export async function saveFindings(tx: Tx, claimId: string, findings: readonly Finding[]): Promise<void> {
  await sql`
    with new_findings as (
      select f.*, coalesce(e.tries, 0) + 1 as tries,
        coalesce(f.after_seconds,
          (${BACKOFF_SECONDS}::integer[])[least(coalesce(e.tries, 0) + 1, ${BACKOFF_SECONDS.length})]) as wait
      from jsonb_to_recordset(${JSON.stringify(findings.map(asRow))}) as f (name text, outcome text,
        detail text, found jsonb, source text, http_status integer, seen text, seen_hash text, retry boolean,
        after_seconds integer)
      left join evidence e on e.claim_id = ${claimId} and e.check_name = f.name)
    insert into evidence as e (claim_id, check_name, outcome, detail, found, source, http_status, seen,
      seen_hash, tries, next_try_at)
    select c.id, name, outcome, detail, found, source, http_status, seen, seen_hash, tries,
      case when retry
        and now() + make_interval(secs => wait) < c.submitted_at + ${sql.lit(GIVE_UP_AFTER)}::interval
        then now() + make_interval(secs => wait) end
    from new_findings, (select id, submitted_at from claims where id = ${claimId}) c
    on conflict (claim_id, check_name) do update set outcome = excluded.outcome, detail = excluded.detail,
      found = excluded.found, source = excluded.source, http_status = excluded.http_status,
      seen = excluded.seen, seen_hash = excluded.seen_hash, tries = excluded.tries,
      next_try_at = excluded.next_try_at, checked_at = now()
    where e.outcome = 'could_not_tell' or excluded.outcome <> 'could_not_tell'`.execute(tx)
}

function asRow({ check, outcome, found, source, copy, retry }: Finding) {
  return {
    name: check,
    outcome,
    // In English, for people who read the table, and for older versions that do not know the code in `found`.
    detail: sentenceOf(found),
    found,
    source,
    http_status: copy?.status ?? null,
    // What the service answered, for reviewers.
    seen: copy?.text ?? null,
    seen_hash: copy?.hash ?? null,
    retry: retry !== undefined && outcome === 'could_not_tell',
    after_seconds: retry?.afterSeconds === undefined ? null : clampWait(retry.afterSeconds),
  }
}

const clampWait = (seconds: number) => Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS)

/** @returns undefined if none of these checks will be retried. */
export async function secondsUntilNextTry(
  tx: Tx,
  claimId: string,
  checks: readonly EvidenceCheck[],
): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from min(next_try_at) - now())::float8 as seconds
    from evidence where claim_id = ${claimId} and check_name = any(${checks}::text[])`.execute(tx)
  const seconds = rows[0]?.seconds ?? undefined
  return seconds === undefined ? undefined : Math.max(0, seconds)
}

export async function readEvidence(
  db: Database | Tx,
  claimId: string,
  locale: Locale = DEFAULT_LOCALE,
): Promise<Evidence[]> {
  const rows = await db.selectFrom('evidence').selectAll().where('claim_id', '=', claimId).execute()
  return rows
    .map((row) => asEvidence(row, locale))
    .toSorted((a, b) => EVIDENCE_CHECKS.indexOf(a.check) - EVIDENCE_CHECKS.indexOf(b.check))
}

function asEvidence(row: Selectable<EvidenceRow>, locale: Locale): Evidence {
  const found = row.found as Found | null
  return {
    check: row.check_name as EvidenceCheck,
    outcome: row.outcome as CheckOutcome,
    detail: (found && sentenceOf(found, locale)) ?? row.detail,
    source: sourceNameIn(row.check_name, row.source, locale),
    checkedAt: row.checked_at.toISOString(),
    httpStatus: row.http_status,
    seen: row.seen,
    seenHash: row.seen_hash,
    tries: row.tries,
    nextTryAt: row.next_try_at?.toISOString() ?? null,
  }
}
