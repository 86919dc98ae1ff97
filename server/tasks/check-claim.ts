import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { isChecksumRight } from '../platform/eip55.ts'
import type { Job, Outcome } from '../platform/jobs.ts'
import { postTime, readPostLink } from './rules.ts'

/** The kind of job that gathers evidence of a claim. */
export const CHECK_JOB = 'check-claim'

/** What a check saw; evidence for a person, never a verdict. */
export type Evidence = {
  check: 'post-author' | 'post-time' | 'wallet'
  outcome: 'confirmed' | 'contradicted' | 'could_not_tell'
  detail: string
  source: string
}

type Checked = { retweet_link: string; twitter: string; post_id: string; wallet: string }

/**
 * Gathers what needs no network, then moves the claim from Submitted to Under Review. Done again after a
 * crash it writes the same; a claim that was decided meanwhile keeps its decision.
 */
export async function checkClaim(deps: Deps, job: Job): Promise<Outcome> {
  const { claimId } = job.payload as { claimId: string }
  const claim = await deps.db.selectFrom('claims').selectAll().where('id', '=', claimId).executeTakeFirst()
  if (!claim) return { dead: 'The claim is gone.' }
  const { opensAt } = deps.campaign.airdrop
  const evidence = gather(claim, { opensAt: new Date(opensAt), submittedAt: claim.submitted_at })
  await inTransaction(deps.db, async (tx) => {
    await keep(tx, claimId, evidence)
    await tx
      .updateTable('claims')
      .set({ status: 'under_review' })
      .where('id', '=', claimId)
      .where('status', '=', 'submitted')
      .execute()
  })
  return { done: true }
}

/** The clock of whoever made the id may be ahead of ours a little. */
const TOLERANCE = 5 * 60_000

/** Pure: what handle, link, post id and wallet say by themselves. */
export function gather(
  claim: Checked,
  { opensAt, submittedAt }: { opensAt: Date; submittedAt: Date },
): Evidence[] {
  const author = readPostLink(claim.retweet_link)?.handle
  const madeAt = postTime(claim.post_id)
  const inTime = madeAt >= opensAt && madeAt.getTime() <= submittedAt.getTime() + TOLERANCE
  return [
    {
      check: 'post-author',
      outcome: author?.toLowerCase() === claim.twitter.toLowerCase() ? 'confirmed' : 'contradicted',
      detail: `The link names ${author ?? 'nobody'}, the form names ${claim.twitter}.`,
      source: 'the link itself',
    },
    {
      check: 'post-time',
      outcome: inTime ? 'confirmed' : 'contradicted',
      detail: `The post was made at ${madeAt.toISOString()}; the campaign opened at ${opensAt.toISOString()}.`,
      source: 'the id of the post',
    },
    {
      check: 'wallet',
      outcome: isChecksumRight(claim.wallet) ? 'confirmed' : 'contradicted',
      detail: `${claim.wallet} ${isChecksumRight(claim.wallet) ? 'is' : 'is not'} a well-formed address.`,
      source: 'EIP-55',
    },
  ]
}

async function keep(tx: Tx, claimId: string, evidence: readonly Evidence[]): Promise<void> {
  await tx
    .insertInto('evidence')
    .values(
      evidence.map(({ check, outcome, detail, source }) => ({
        claim_id: claimId,
        check_name: check,
        outcome,
        detail,
        source,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['claim_id', 'check_name']).doUpdateSet({
        outcome: sql`excluded.outcome`,
        detail: sql`excluded.detail`,
        source: sql`excluded.source`,
        checked_at: sql`now()`,
      }),
    )
    .execute()
}
