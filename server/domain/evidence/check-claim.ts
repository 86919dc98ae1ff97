import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { EvidenceCheck } from '#contract/claims/evidence.ts'
import { isDecided } from '#contract/entities.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { Job, Outcome } from '#server/platform/jobs/jobs.ts'
import { savePostText } from '../signals/post-text.ts'
import { queueScoring } from '../signals/score-claim.ts'
import { moveToReview } from '../claims/decisions/move-to-review.ts'
import { PROOF_COLUMNS } from '../claims/claim.ts'
import { lockWalletOfClaim } from '../wallets/proven-wallet.ts'
import { type CheckResult, type ClaimToCheck, couldNotTell, type Source } from './finding.ts'
import { saveFindings, readDueChecks, secondsUntilNextTry, wasChecked } from './findings.ts'

/**
 * Runs the due checks of a claim, saves their findings and moves the claim from Submitted to Under Review.
 * Checks never decide a claim. Inconclusive checks are retried until the claim is decided, for at most a day.
 * Idempotent.
 */
export async function checkClaim(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  sources: readonly Source[],
  job: Job,
): Promise<Outcome> {
  const { claimId } = job.payload as { claimId: string }
  const claim = await readClaim(db, claimId)
  if (!claim) return { done: true }
  const allChecks = sources.flatMap(({ checks }) => checks)
  const due = await readDueChecks(db, claimId, allChecks)
  const dueSources = sources.filter(({ checks }) => checks.some((check) => due.has(check)))
  const results = await Promise.all(dueSources.map((source) => runSafely(source, claim, log)))
  return inTransaction(db, (tx) => saveResults(tx, claim, results, allChecks))
}

type Claim = ClaimToCheck & { status: string }

async function readClaim(db: Database | Tx, claimId: string): Promise<Claim | undefined> {
  return db
    .selectFrom('claims as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .leftJoin('telegram_accounts as t', 't.user_id', 'c.user_id')
    .leftJoin('proven_wallets as p', (join) =>
      join.onRef('p.campaign_id', '=', 'c.campaign_id').onRef('p.user_id', '=', 'c.user_id'),
    )
    .select(PROOF_COLUMNS.map((column) => `c.${column}` as const))
    .select(['c.id', 'c.status', 'c.submitted_at', 't.telegram_id', 't.username as telegram_name'])
    .select(['p.address as proven_wallet', 'p.kind as proven_kind', isProvenByOther.as('is_proven_by_other')])
    .where('c.id', '=', claimId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** For a claim `c`. Uses the index `proven_wallets_one_participant`. */
const isProvenByOther = sql<boolean>`exists (select from proven_wallets o
  where o.campaign_id = c.campaign_id and lower(o.address) = lower(c.wallet) and o.user_id <> c.user_id)`

async function runSafely(source: Source, claim: ClaimToCheck, log: Deps['log']): Promise<CheckResult> {
  try {
    return await source.run(claim)
  } catch (error) {
    log.error({ err: error, source: source.name }, 'a check failed')
    return { findings: couldNotTell(source, { code: 'failed' }, { retry: {} }) }
  }
}

async function saveResults(
  tx: Tx,
  claim: Claim,
  results: readonly CheckResult[],
  allChecks: readonly EvidenceCheck[],
): Promise<Outcome> {
  // Waits for a concurrent edit, decision or proof of a wallet, and blocks new ones until the commit.
  await tx.selectFrom('claims').select('id').where('id', '=', claim.id).forUpdate().execute()
  await lockWalletOfClaim(tx, claim.id)
  const current = await readClaim(tx, claim.id)
  if (!current || !isDeepStrictEqual(checkedFieldsOf(claim), checkedFieldsOf(current)))
    return { retry: 'The proof changed during the checks.', afterSeconds: 0 }
  const isFirstRun = !(await wasChecked(tx, claim.id))
  const findings = results.flatMap((result) => result.findings)
  const postText = results.find((result) => result.postText !== undefined)?.postText
  await saveFindings(tx, claim.id, findings)
  if (isFirstRun || postText !== undefined) {
    // An edit restarts the checks. Without a text, the one of the post before the edit is removed.
    await savePostText(tx, claim.id, postText ?? '')
    await queueScoring(tx, claim.id)
  }
  await moveToReview(tx, claim.id)
  // Only of `allChecks`: evidence of a check that the campaign no longer has would stay due forever.
  const afterSeconds = isDecided(current.status)
    ? undefined
    : await secondsUntilNextTry(tx, claim.id, allChecks)
  return afterSeconds === undefined
    ? { done: true }
    : { retry: 'Some checks were inconclusive.', afterSeconds }
}

/** The fields that checks read. A change of the status alone repeats no check. */
const checkedFieldsOf = ({ status: _status, ...checked }: Claim) => checked
