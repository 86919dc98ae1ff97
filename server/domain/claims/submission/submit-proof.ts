import { type RawBuilder, sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { MAX_ATTEMPTS } from '#contract/claims.ts'
import type { Proof } from '#contract/proof.ts'
import { isClosed, isEarly } from '#server/domain/campaign/read-campaign.ts'
import type { Deps } from '#server/deps.ts'
import { checkJob } from '#server/domain/evidence/start-checks.ts'
import { announceClaimSql } from '#server/domain/events/announce.ts'
import { mailJob } from '#server/domain/mail/send-later.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { enqueueSql } from '#server/platform/jobs.ts'
import { refuse } from '#server/platform/refusal.ts'
import { recordNetworkVisit } from '#server/domain/signals/network.ts'
import { reallocateSlots } from '#server/domain/slots/reallocate-slots.ts'
import { countSlot, newSlotBehindWaitingList, ownSlot } from '#server/domain/slots/take-slot.ts'
import { closeSupersededAppeal } from '../appeal.ts'
import { asTask } from '../claim.ts'
import { asColumns, type StoredProof } from '../proof-columns.ts'
import { readProof } from './rules.ts'
import type { LockedClaim } from '../decisions/lock-claim.ts'
import { recordExpiredHold } from './record-expired-hold.ts'
import { refusalForDuplicate } from './refusal-for-duplicate.ts'

/** Claims a slot, first come, first served, in one transaction. A correction after a rejection is a new attempt. */
export async function submitProof(deps: Deps, userId: string, typed: Proof, network?: string): Promise<Task> {
  const proof = readProof(typed, deps.campaign)
  // Checked before the transaction: once the slots are gone, each refusal costs a single query.
  let state = await readState(deps, userId)
  if (state.isHoldExpired) {
    await reallocateSlots(deps, recordExpiredHold)
    state = await readState(deps, userId)
  }
  const reason = refusalReason(state)
  if (reason) throw refuse(reason)
  try {
    const attempt = state.attempts + 1
    const task = await inTransaction(deps.db, async (tx) => {
      // Before countSlot, whose lock the other claims wait for.
      if (network) await recordNetworkVisit(tx, deps, { userId, event: 'claim', network })
      if (attempt > 1) await closeSupersededAppeal(tx, deps, userId)
      return claimSlot(tx, deps, { ...state, userId, attempt, proof })
    })
    deps.wake('claims')
    return task
  } catch (error) {
    throw refusalForDuplicate(error) ?? error
  }
}

/** The campaign's state, and the participant's own: live claim, attempts, and the slot kept or reserved for them. */
type State = Record<
  'isEarly' | 'isClosed' | 'isFull' | 'hasLiveClaim' | 'hasHold' | 'isReserved' | 'isHoldExpired',
  boolean
> & {
  attempts: number
  username: string
  email: string
}

async function readState({ db, campaign }: Deps, userId: string): Promise<State> {
  const { rows } = await stateOf(campaign, userId).execute(db)
  const [state] = rows
  if (!state) throw new Error(`The campaign ${campaign.id} is not in the database.`)
  return state
}

/**
 * Query for everything that can refuse a claim; later commits hit the row lock or the unique indexes. Reads at most
 * one row of each table, and the participant's claims by claims_by_user.
 */
const stateOf = (campaign: CampaignFile, userId: string): RawBuilder<State> => sql`
  select ${isEarly(campaign)} as "isEarly", ${isClosed(campaign)} as "isClosed",
    c.slots_taken >= c.slots_total or exists (select from waiting_list where campaign_id = c.id) as "isFull",
    slot.number is not null and coalesce(slot.until > now(), true) as "hasHold",
    coalesce(slot.state = 'reserved' and slot.until > now(), false) as "isReserved",
    coalesce(slot.until <= now(), false) as "isHoldExpired",
    person.username, person.email, own.*
  from campaigns c
  join users person on person.id = ${userId}
  left join slots slot on slot.campaign_id = c.id and slot.user_id = ${userId},
  lateral (
    select coalesce(max(attempt), 0) as attempts, coalesce(bool_or(status <> 'rejected'), false) as "hasLiveClaim"
    from claims where campaign_id = c.id and user_id = ${userId}) own
  where c.id = ${campaign.id}`

function refusalReason(state: State): ErrorCode | undefined {
  if (state.hasLiveClaim) return 'already_claimed'
  // A reserved slot was promised, from the waiting list or after a mistaken rejection: it allows one more attempt.
  if (state.attempts >= MAX_ATTEMPTS && !state.isReserved) return 'attempts_over'
  if (state.isEarly) return 'campaign_not_open'
  // A hold outlasts the close and the last free slot.
  if (state.isClosed && !state.hasHold) return 'campaign_closed'
  return state.isFull && !state.hasHold ? 'slots_gone' : undefined
}

type NewClaim = Pick<State, 'username' | 'email' | 'hasHold'> & {
  userId: string
  attempt: number
  proof: StoredProof
}

/**
 * Takes the participant's hold or the next slot. Counting a slot locks the campaign until the commit, so the claim
 * and everything that goes with it are one statement.
 */
async function claimSlot(tx: Tx, { campaign: { id: campaignId } }: Deps, claim: NewClaim): Promise<Task> {
  const { userId, hasHold } = claim
  const isCounted = hasHold || (await countSlot(tx, campaignId))
  if (!isCounted)
    throw refuse((await hasLiveClaim(tx, campaignId, userId)) ? 'already_claimed' : 'slots_gone')
  const { rows } = await newClaim(campaignId, claim).execute(tx)
  const [inserted] = rows
  // The hold expired since it was read and the slot has gone to the next, or someone joined the waiting list.
  if (!inserted) throw refuse('slots_gone')
  return asTask({ ...inserted, pf: 0, pls: 0 })
}

/**
 * Statement that inserts the claim, with the participant's hold or the slot just counted, and everything that goes with
 * it; returns nothing without a slot.
 */
function newClaim(campaignId: string, claim: NewClaim): RawBuilder<LockedClaim> {
  const { userId, attempt, proof, hasHold, username, email } = claim
  const claimId = newId()
  const mail = mailJob({ template: 'claim-received', to: email, values: { username } })
  const columns = asColumns(proof)
  const names = Object.keys(columns).map((name) => sql.ref(name))
  return sql`
    with slot as (${(hasHold ? ownSlot : newSlotBehindWaitingList)(campaignId, userId)}),
    claim as (
      insert into claims (id, campaign_id, user_id, attempt, slot, ${sql.join(names)})
      select ${claimId}, ${campaignId}, ${userId}, ${attempt}, number, ${sql.join(Object.values(columns))}
      from slot returning *),
    recorded as (
      insert into claim_events (id, claim_id, what)
      select ${newId()}, id, ${attempt === 1 ? 'received' : 'corrected'} from claim),
    queued as (${enqueueSql([checkJob(claimId), mail])}),
    published as (${announceClaimSql(claimId, 'slots')})
    select claim.*, (select count(*) from published) from claim`
}

/** Distinguishes a claim sent twice, which may have taken the last slot itself, from a lost race. */
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
