import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Deps } from '../deps.ts'
import { announce } from '../events/announce.ts'
import { startChecks } from '../evidence/start-checks.ts'
import { inTransaction, type Tx, violatedUnique } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { refuse } from '../platform/refusal.ts'
import { noteNetwork } from '../signals/network.ts'
import { asTask } from './claim.ts'
import { type Proof, readProof, type TypedProof } from './rules.ts'

/**
 * Claims a slot with the proof of the four tasks. First come, first served: the slot is taken and the
 * claim recorded in one transaction, or neither.
 */
export async function submitProof(
  deps: Deps,
  userId: string,
  typed: TypedProof,
  network?: string,
): Promise<Task> {
  const proof = readProof(typed, deps.campaign)
  // Looked at before the transaction: when the slots are gone, everybody who still comes costs one query.
  const seen = await look(deps, userId, proof)
  const reason = reasonAgainst(seen)
  if (reason) throw refuse(reason)
  try {
    const attempt = seen.attempts + 1
    const task = await inTransaction(deps.db, async (tx) => {
      // Before the slot is taken: from there on everybody else waits.
      if (network) await noteNetwork(tx, deps, { userId, event: 'claim', network })
      return claimSlot(tx, deps, { userId, attempt, proof })
    })
    deps.wake('claims')
    return task
  } catch (error) {
    const taken = TAKEN[violatedUnique(error) ?? '']
    throw taken ? refuse(taken) : error
  }
}

/** `attempts` and `live` are the person's own claims; `wallet`, `handle` and `post` are used by a live one. */
type Seen = Record<'early' | 'late' | 'full' | 'live' | 'wallet' | 'handle' | 'post', boolean> & {
  attempts: number
}

/**
 * Everything that speaks against a claim, in one statement: looked up one after the other, a claim that the
 * same person makes at the same moment would pass for a stranger's. What is committed only afterwards meets
 * the row of the slots and the unique indexes.
 */
async function look({ db, campaign: { id, airdrop } }: Deps, userId: string, proof: Proof): Promise<Seen> {
  const [wallet, telegram, twitter] = [proof.wallet, proof.telegram, proof.twitter].map((text) =>
    text.toLowerCase(),
  )
  const { rows } = await sql<Seen>`
    select now() < ${airdrop.opensAt}::timestamptz as early,
      coalesce(now() >= ${airdrop.closesAt}::timestamptz, false) as late,
      campaign.slots_taken >= campaign.slots_total as full, own.*, used.*
    from campaigns campaign,
    lateral (
      select coalesce(max(attempt), 0) as attempts, coalesce(bool_or(status <> 'rejected'), false) as live
      from claims where campaign_id = campaign.id and user_id = ${userId}) own,
    lateral (
      select coalesce(bool_or(lower(wallet) = ${wallet}), false) as wallet,
        coalesce(bool_or(lower(telegram) = ${telegram} or lower(twitter) = ${twitter}), false) as handle,
        coalesce(bool_or(post_id = ${proof.postId}), false) as post
      from claims where campaign_id = campaign.id and status <> 'rejected' and (lower(wallet) = ${wallet}
        or lower(telegram) = ${telegram} or lower(twitter) = ${twitter} or post_id = ${proof.postId})) used
    where campaign.id = ${id}`.execute(db)
  const [seen] = rows
  if (!seen) throw new Error(`The campaign ${id} is not in the database.`)
  return seen
}

function reasonAgainst(seen: Seen): ErrorCode | undefined {
  if (seen.live) return 'already_claimed'
  if (seen.early) return 'campaign_not_open'
  if (seen.late) return 'campaign_closed'
  if (seen.full) return 'slots_gone'
  if (seen.wallet) return 'wallet_taken'
  if (seen.handle) return 'handle_taken'
  return seen.post ? 'post_taken' : undefined
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

type Claimed = { userId: string; attempt: number; proof: Proof }

async function claimSlot(tx: Tx, { campaign }: Deps, { userId, attempt, proof }: Claimed): Promise<Task> {
  const slot = await takeSlot(tx, campaign.id, userId)
  const claim = await tx
    .insertInto('claims')
    .values({
      id: newId(),
      campaign_id: campaign.id,
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
  await startChecks(tx, claim.id)
  await announce(tx, 'slots')
  return asTask({ ...claim, pf: 0, pls: 0 })
}

/** The next slot in the order of the server's time. A claim that fails afterwards gives it back. */
async function takeSlot(tx: Tx, campaignId: string, userId: string): Promise<number> {
  const taken = await tx
    .updateTable('campaigns')
    .set({ slots_taken: sql`slots_taken + 1` })
    .where('id', '=', campaignId)
    .whereRef('slots_taken', '<', 'slots_total')
    .returning('slots_taken')
    .executeTakeFirst()
  if (taken) return taken.slots_taken
  throw refuse((await hasLiveClaim(tx, campaignId, userId)) ? 'already_claimed' : 'slots_gone')
}

/** Whoever sends a claim twice may have taken the last slot with the first of the two. */
async function hasLiveClaim(tx: Tx, campaignId: string, userId: string): Promise<boolean> {
  const claim = await tx
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('status', '!=', 'rejected')
    .executeTakeFirst()
  return claim !== undefined
}
