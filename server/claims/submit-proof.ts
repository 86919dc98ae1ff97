import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { MAX_ATTEMPTS } from '#contract/claims.ts'
import { isClosed, isEarly } from '../campaign/opening.ts'
import type { Deps } from '../deps.ts'
import { checkJob } from '../evidence/start-checks.ts'
import { announcing } from '../events/announce.ts'
import { mailJob } from '../mail/send-later.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { enqueueing } from '../platform/jobs.ts'
import { refuse } from '../platform/refusal.ts'
import { recordNetworkVisit } from '../signals/network.ts'
import { reallocateSlots } from '../slots/reallocate-slots.ts'
import { countSlot, newSlot, ownSlot } from '../slots/take-slot.ts'
import { closeSupersededAppeal } from './appeal.ts'
import { asTask } from './claim.ts'
import { type Proof, readProof, type TypedProof } from './rules.ts'
import type { LockedClaim } from './lock-claim.ts'
import { recordExpiredHold } from './record-expired-hold.ts'
import { refusalForDuplicate } from './refusal-for-duplicate.ts'

/**
 * Claims a slot with the proof of the four tasks. First come, first served: the slot is taken and the
 * claim recorded in one transaction, or neither. After a rejection it is the next attempt.
 */
export async function submitProof(
  deps: Deps,
  userId: string,
  typed: TypedProof,
  network?: string,
): Promise<Task> {
  const proof = readProof(typed, deps.campaign)
  // Looked at before the transaction: when the slots are gone, everybody who still comes costs one query.
  let seen = await look(deps, userId)
  if (seen.lapsed) {
    await reallocateSlots(deps, recordExpiredHold)
    seen = await look(deps, userId)
  }
  const reason = reasonAgainst(seen)
  if (reason) throw refuse(reason)
  try {
    const attempt = seen.attempts + 1
    const task = await inTransaction(deps.db, async (tx) => {
      // Before the slot is taken: from there on everybody else waits.
      if (network) await recordNetworkVisit(tx, deps, { userId, event: 'claim', network })
      if (attempt > 1) await closeSupersededAppeal(tx, deps, userId)
      return claimSlot(tx, deps, { ...seen, userId, attempt, proof })
    })
    deps.wake('claims')
    return task
  } catch (error) {
    throw refusalForDuplicate(error) ?? error
  }
}

/**
 * `attempts`, `live`, `held` and `lapsed` are the person's own: their claims, and a slot that is kept or reserved
 * for them or was until just now.
 */
type Seen = Record<'early' | 'late' | 'full' | 'live' | 'held' | 'reserved' | 'lapsed', boolean> & {
  attempts: number
  username: string
  email: string
}

/**
 * What speaks against a claim, in one statement. What is committed only afterwards meets the row of the slots;
 * a wallet, handle or post that another live claim uses meets the unique indexes.
 */
async function look({ db, campaign }: Deps, userId: string): Promise<Seen> {
  const { rows } = await sql<Seen>`
    select ${isEarly(campaign)} as early, ${isClosed(campaign)} as late,
      c.slots_taken >= c.slots_total or exists (select from waiting_list where campaign_id = c.id) as full,
      slot.number is not null and coalesce(slot.until > now(), true) as held,
      coalesce(slot.state = 'reserved' and slot.until > now(), false) as reserved,
      coalesce(slot.until <= now(), false) as lapsed,
      person.username, person.email, own.*
    from campaigns c
    join users person on person.id = ${userId}
    left join slots slot on slot.campaign_id = c.id and slot.user_id = ${userId},
    lateral (
      select coalesce(max(attempt), 0) as attempts, coalesce(bool_or(status <> 'rejected'), false) as live
      from claims where campaign_id = c.id and user_id = ${userId}) own
    where c.id = ${campaign.id}`.execute(db)
  const [seen] = rows
  if (!seen) throw new Error(`The campaign ${campaign.id} is not in the database.`)
  return seen
}

function reasonAgainst(seen: Seen): ErrorCode | undefined {
  if (seen.live) return 'already_claimed'
  // A reserved slot is a promise: to whoever waited for it, or lost one by mistake.
  if (seen.attempts >= MAX_ATTEMPTS && !seen.reserved) return 'attempts_over'
  // A slot that is held was promised: it can be claimed until its time is over.
  if (seen.early) return 'campaign_not_open'
  if (seen.late && !seen.held) return 'campaign_closed'
  return seen.full && !seen.held ? 'slots_gone' : undefined
}

type Claimed = Pick<Seen, 'username' | 'email' | 'held'> & { userId: string; attempt: number; proof: Proof }

/**
 * The slot that is held for the participant, else the next one, for which everybody else waits until the end:
 * whatever the claim needs and owes is therefore one statement.
 */
async function claimSlot(tx: Tx, { campaign: { id: campaignId } }: Deps, claimed: Claimed): Promise<Task> {
  const { userId, attempt, proof, held, username, email } = claimed
  const isCounted = held || (await countSlot(tx, campaignId))
  if (!isCounted)
    throw refuse((await hasLiveClaim(tx, campaignId, userId)) ? 'already_claimed' : 'slots_gone')
  const claimId = newId()
  const mail = mailJob({ template: 'claim-received', to: email, values: { username } })
  const { postId, retweetLink, wallet, telegram, twitter } = proof
  const { rows } = await sql<LockedClaim>`
    with slot as (${(held ? ownSlot : newSlot)(campaignId, userId)}),
    claim as (
      insert into claims (id, campaign_id, user_id, attempt, slot, wallet, telegram, twitter, post_id, retweet_link)
      select ${claimId}, ${campaignId}, ${userId}, ${attempt}, number, ${wallet}, ${telegram}, ${twitter}, ${postId}, ${retweetLink}
      from slot returning *),
    noted as (
      insert into claim_events (id, claim_id, what)
      select ${newId()}, id, ${attempt === 1 ? 'received' : 'corrected'} from claim),
    owed as (${enqueueing([checkJob(claimId), mail])}),
    told as (${announcing(claimId, 'slots')})
    select claim.*, (select count(*) from told) from claim`.execute(tx)
  const [claim] = rows
  // The slot that was held a moment ago has just gone to the next.
  if (!claim) throw refuse('slots_gone')
  return asTask({ ...claim, pf: 0, pls: 0 })
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
