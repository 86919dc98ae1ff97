import { isDecided } from '#contract/entities.ts'
import type { Deps } from '../deps.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import type { Job, Outcome } from '../platform/jobs.ts'
import { savePostText } from '../signals/post-text.ts'
import { queueScoring } from '../signals/score-claim.ts'
import { moveToReview } from '../claims/move-to-review.ts'
import { couldNotTell, type RunCheck, type Source, type Subject } from './finding.ts'
import { saveFindings, readDueChecks, secondsUntilNextTry, recordCheck } from './save-findings.ts'
import { FINDING_WORDS } from './words.ts'

/**
 * Looks wherever something of this claim is still open, keeps what was seen, and moves the claim from
 * Submitted to Under Review. Comes again for what could not be told, until it is decided, for a day at most.
 * Done again after a crash it writes the same.
 */
export async function checkClaim(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  sources: readonly Source[],
  job: Job,
): Promise<Outcome> {
  const { claimId } = job.payload as { claimId: string }
  const claim = await readClaim(db, claimId)
  if (!claim) return { dead: 'The claim is gone.' }
  const due = await readDueChecks(
    db,
    claimId,
    sources.flatMap(({ checks }) => checks),
  )
  const asked = sources.filter(({ checks }) => checks.some((check) => due.has(check)))
  const looks = await Promise.all(asked.map((source) => lookSafely(source, claim, log)))
  return inTransaction(db, (tx) => settle(tx, claim, looks))
}

type Claim = Subject & { status: string }

async function readClaim(db: Database | Tx, claimId: string): Promise<Claim | undefined> {
  return db
    .selectFrom('claims as c')
    .leftJoin('telegram_accounts as t', 't.user_id', 'c.user_id')
    .select(['c.id', 'c.status', 'c.wallet', 'c.telegram', 'c.twitter', 'c.post_id', 'c.retweet_link'])
    .select(['c.submitted_at', 't.telegram_id', 't.username as telegram_name'])
    .where('c.id', '=', claimId)
    .executeTakeFirst()
}

/** Whatever one source does, the others are heard. */
async function lookSafely(source: Source, claim: Subject, log: Deps['log']): Promise<RunCheck> {
  try {
    return await source.look(claim)
  } catch (error) {
    log.error({ err: error, source: source.name }, 'a check failed')
    return { findings: couldNotTell(source, FINDING_WORDS.failed, { again: {} }) }
  }
}

async function settle(tx: Tx, claim: Claim, looks: readonly RunCheck[]): Promise<Outcome> {
  // Locked until the end: a claim that is being corrected or decided is waited for.
  await tx.selectFrom('claims').select('id').where('id', '=', claim.id).forUpdate().execute()
  const current = await readClaim(tx, claim.id)
  if (!current || !isSame(claim, current)) return { retry: 'The claim was corrected meanwhile.', after: 0 }
  const isFirst = !(await recordCheck(tx, claim.id))
  const text = looks.find(({ postText }) => postText !== undefined)?.postText
  await saveFindings(
    tx,
    claim.id,
    looks.flatMap(({ findings }) => findings),
  )
  if (isFirst || text !== undefined) {
    // Of a claim that was corrected the words of the former post go.
    await savePostText(tx, claim.id, text ?? '')
    await queueScoring(tx, claim.id)
  }
  await moveToReview(tx, claim.id)
  const after = isDecided(current.status) ? undefined : await secondsUntilNextTry(tx, claim.id)
  return after === undefined ? { done: true } : { retry: 'Not everything could be told.', after }
}

const SAID = ['wallet', 'telegram', 'twitter', 'retweet_link', 'telegram_id', 'telegram_name'] as const

const isSame = (a: Subject, b: Subject) => SAID.every((what) => a[what] === b[what])
