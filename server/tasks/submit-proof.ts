import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Deps } from '../deps.ts'
import { announce } from '../events/announce.ts'
import { inTransaction, type Tx, violatedUnique } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { queue } from '../platform/jobs.ts'
import { refuse } from '../platform/refusal.ts'
import { CHECK_JOB } from './check-claim.ts'
import { asTask } from './claim.ts'
import { type Proof, readProof, type TypedProof } from './rules.ts'

/**
 * Claims a slot with the proof of the four tasks. First come, first served: the slot is taken and the
 * claim recorded in one transaction, or neither.
 */
export async function submitProof(deps: Deps, userId: string, typed: TypedProof): Promise<Task> {
  const proof = readProof(typed, deps.campaign)
  try {
    const task = await inTransaction(deps.db, (tx) => claimSlot(tx, deps, userId, proof))
    deps.wake('claims')
    return task
  } catch (error) {
    const taken = TAKEN[violatedUnique(error) ?? '']
    throw taken ? refuse(taken) : error
  }
}

/** The friendly words for each promise that the database keeps. */
const TAKEN: Record<string, ErrorCode> = {
  claims_one_live: 'already_claimed',
  claims_campaign_id_user_id_attempt_key: 'already_claimed',
  claims_wallet: 'wallet_taken',
  claims_telegram: 'handle_taken',
  claims_twitter: 'handle_taken',
  claims_post: 'post_taken',
}

async function claimSlot(tx: Tx, deps: Deps, userId: string, proof: Proof): Promise<Task> {
  const campaignId = deps.campaign.id
  const { attempt, live } = await earlierClaims(tx, campaignId, userId)
  if (live) throw refuse('already_claimed')
  await refuseOutsideDates(tx, deps)
  await refuseTaken(tx, campaignId, proof)
  const slot = await takeSlot(tx, campaignId)
  const claim = await tx
    .insertInto('claims')
    .values({
      id: newId(),
      campaign_id: campaignId,
      user_id: userId,
      attempt,
      slot,
      wallet: proof.wallet,
      telegram: proof.telegram,
      twitter: proof.twitter,
      post_id: proof.postId,
      retweet_link: proof.retweetLink,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await queue(tx, { kind: CHECK_JOB, payload: { claimId: claim.id } })
  await announce(tx, 'slots')
  return asTask({ ...claim, pf: 0, pls: 0 })
}

async function earlierClaims(
  tx: Tx,
  campaignId: string,
  userId: string,
): Promise<{ attempt: number; live: boolean }> {
  const claims = await tx
    .selectFrom('claims')
    .select(['attempt', 'status'])
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .execute()
  return {
    attempt: Math.max(0, ...claims.map((claim) => claim.attempt)) + 1,
    live: claims.some((claim) => claim.status !== 'rejected'),
  }
}

async function refuseOutsideDates(tx: Tx, { campaign }: Deps): Promise<void> {
  const { opensAt, closesAt } = campaign.airdrop
  const { rows } = await sql<{ early: boolean; late: boolean }>`
    select now() < ${opensAt}::timestamptz as early, coalesce(now() >= ${closesAt}::timestamptz, false) as late`.execute(
    tx,
  )
  if (rows[0]?.early) throw refuse('campaign_not_open')
  if (rows[0]?.late) throw refuse('campaign_closed')
}

/**
 * Looked up before a slot is taken, so that a copied claim does not wait in the line for the slots. The
 * unique indexes decide when two arrive at once.
 */
async function refuseTaken(tx: Tx, campaignId: string, proof: Proof): Promise<void> {
  const same = (column: string, value: string) =>
    sql<boolean>`lower(${sql.ref(column)}) = ${value.toLowerCase()}`
  const rivals = await tx
    .selectFrom('claims')
    .select([
      same('wallet', proof.wallet).as('wallet'),
      sql<boolean>`${same('telegram', proof.telegram)} or ${same('twitter', proof.twitter)}`.as('handle'),
    ])
    .where('campaign_id', '=', campaignId)
    .where('status', '!=', 'rejected')
    .where((where) =>
      where.or([
        same('wallet', proof.wallet),
        same('telegram', proof.telegram),
        same('twitter', proof.twitter),
        where('post_id', '=', proof.postId),
      ]),
    )
    .execute()
  if (rivals.length === 0) return
  if (rivals.some((rival) => rival.wallet)) throw refuse('wallet_taken')
  throw refuse(rivals.some((rival) => rival.handle) ? 'handle_taken' : 'post_taken')
}

/** The next slot in the order of the server's time. A claim that fails afterwards gives it back. */
async function takeSlot(tx: Tx, campaignId: string): Promise<number> {
  const taken = await tx
    .updateTable('campaigns')
    .set({ slots_taken: sql`slots_taken + 1` })
    .where('id', '=', campaignId)
    .whereRef('slots_taken', '<', 'slots_total')
    .returning('slots_taken')
    .executeTakeFirst()
  if (!taken) throw refuse('slots_gone')
  return taken.slots_taken
}
