import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { isClosed, isEarly } from '#server/domain/campaign/read-campaign.ts'
import type { Deps } from '#server/deps.ts'
import { checkJob } from '#server/domain/evidence/start-checks.ts'
import { announceClaimSql } from '#server/domain/events/announce.ts'
import { mailJob } from '#server/domain/mail/send-later.ts'
import { type Database, inTransaction, type Tx, withRetries } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { plannedOnce } from '#server/platform/database/planned-once.ts'
import { enqueueSql } from '#server/platform/jobs/jobs.ts'
import { refuse } from '#server/platform/refusal.ts'
import { networkVisitSql } from '#server/domain/signals/network.ts'
import { reallocateSlots } from '#server/domain/slots/reallocate-slots.ts'
import {
  reservedSlot,
  isWaitingListOvertaken,
  slotBehindWaitingList,
} from '#server/domain/slots/take-slot.ts'
import { queueClaimWebhooksSql } from '#server/domain/webhooks/queue.ts'
import { answerSupersededAppeal } from '../appeal.ts'
import { asColumns, asTask, type StoredProof } from '../claim.ts'
import { validateProof } from './validate-proof.ts'
import { refusalForViolation } from './refusal-for-violation.ts'

/** First come, first served. A correction after a rejection is a new attempt. */
export async function submitProof(deps: Deps, userId: string, input: Proof, network?: string): Promise<Task> {
  const proof = validateProof(input, deps.campaign)
  // Checked before the transaction: once the slots are gone, each refusal costs a single query.
  let state = await readState(deps, userId)
  // The participant's expired slot is freed first, so that they compete for it like anyone else.
  if (state.isReservationExpired) {
    await reallocateSlots(deps)
    state = await readState(deps, userId)
  }
  const code = refusalCodeOf(state)
  if (code) throw refuse(code)
  try {
    const attempt = state.attempts + 1
    const claim: NewClaim = { ...state, userId, attempt, proof, network }
    // A first attempt is one statement, planned once, so that no round trip prolongs the campaign's lock.
    const task = await (attempt > 1
      ? inTransaction(deps.db, async (tx) => {
          await answerSupersededAppeal(tx, deps, userId)
          return insertClaimWithSlot(tx, deps, claim)
        })
      : withRetries(() => insertClaimWithSlot(plannedOnce(deps.db), deps, claim)))
    deps.runSoon('claims')
    return task
  } catch (error) {
    throw isWaitingListOvertaken(error) ? refuse('slots_gone') : (refusalForViolation(error) ?? error)
  }
}

/** `hasReservation`: a slot is kept or reserved for the participant. `isReserved`: that slot is reserved. */
type State = Record<
  | 'isEarly'
  | 'isClosed'
  | 'isPaused'
  | 'isArchived'
  | 'isFull'
  | 'hasLiveClaim'
  | 'hasReservation'
  | 'isReserved'
  | 'isReservationExpired',
  boolean
> & {
  attempts: number
  username: string
  email: string
}

async function readState(
  { db, campaign }: { db: Database | Tx; campaign: CampaignFile },
  userId: string,
): Promise<State> {
  const { rows } = await stateOf(campaign, userId).execute(plannedOnce(db))
  const [state] = rows
  if (!state) throw new Error(`The campaign ${campaign.id} is not in the database.`)
  return state
}

/**
 * Query for everything that can refuse a claim. The insertion notices later changes, through the campaign's
 * row lock or a constraint. Uses the indexes `claims_by_user` and `slots_one_a_person`.
 */
const stateOf = (campaign: CampaignFile, userId: string): RawBuilder<State> => sql`
  select ${isEarly(campaign)} as "isEarly", ${isClosed(campaign)} as "isClosed",
    c.paused_at is not null as "isPaused", c.archived_at is not null as "isArchived",
    c.slots_taken >= c.slots_total or exists (select from waiting_list where campaign_id = c.id) as "isFull",
    slot.number is not null and coalesce(after_pause(slot.until, c.paused_at) > now(), true) as "hasReservation",
    coalesce(slot.state = 'reserved' and after_pause(slot.until, c.paused_at) > now(), false) as "isReserved",
    coalesce(slot.until <= now(), false) and c.paused_at is null as "isReservationExpired",
    person.username, person.email, claimed.*
  from campaigns c
  join users person on person.id = ${userId}
  left join slots slot on slot.campaign_id = c.id and slot.user_id = ${userId},
  lateral (
    select coalesce(max(attempt), 0) as attempts, coalesce(bool_or(status <> 'rejected'), false) as "hasLiveClaim"
    from claims where campaign_id = c.id and user_id = ${userId}) claimed
  where c.id = ${campaign.id}`

function refusalCodeOf(state: State): ErrorCode | undefined {
  if (state.hasLiveClaim) return 'already_claimed'
  // A reserved slot was promised by the waiting list or a reviewer, so it allows one more attempt.
  if (state.attempts >= MAX_ATTEMPTS && !state.isReserved) return 'attempts_over'
  if (state.isEarly) return 'campaign_not_open'
  // A reservation can still be claimed after the close, but not in an archived campaign.
  if (state.isArchived || (state.isClosed && !state.hasReservation)) return 'campaign_closed'
  if (state.isPaused) return 'campaign_paused'
  return state.isFull && !state.hasReservation ? 'slots_gone' : undefined
}

type NewClaim = Pick<State, 'username' | 'email' | 'hasReservation'> & {
  userId: string
  attempt: number
  proof: StoredProof
  network: string | undefined
}

async function insertClaimWithSlot(db: Database | Tx, deps: Deps, claim: NewClaim): Promise<Task> {
  const { rows } = await insertionOf(deps, claim).execute(db)
  const [inserted] = rows
  if (inserted) return asTask({ ...inserted, pf: 0, pls: 0 })
  // The state has changed since it was first read. For example, the same claim was sent twice, and its first
  // copy has taken the last slot. If the state allows a claim again, the slot was gone only for a moment.
  throw refuse(refusalCodeOf(await readState({ ...deps, db }, claim.userId)) ?? 'slots_gone')
}

/**
 * Statement that inserts the claim with a slot, and everything that goes with it. Without a slot it does
 * nothing. It counts the rows of `announced` and `notified` because PostgreSQL skips a CTE that only selects
 * and is never read.
 */
function insertionOf(deps: Deps, claim: NewClaim): RawBuilder<Selectable<Claims>> {
  const { userId, attempt, proof, hasReservation, username, email, network } = claim
  const campaignId = deps.campaign.id
  const claimId = newId()
  const mail = mailJob({ template: 'claim-received', to: email, values: { username } })
  const columns = asColumns(proof)
  const names = Object.keys(columns).map((name) => sql.ref(name))
  const slot = hasReservation ? reservedSlot(campaignId, userId) : slotBehindWaitingList(campaignId, userId)
  const networkVisit = network && networkVisitSql(deps, { userId, event: 'claim', network }, sql`from claim`)
  return sql`
    with ${slot},
    claim as (
      insert into claims (id, campaign_id, user_id, attempt, slot, ${sql.join(names)})
      select ${claimId}, ${campaignId}, ${userId}, ${attempt}, number, ${sql.join(Object.values(columns))}
      from slot returning *),
    recorded as (
      insert into claim_events (id, claim_id, what)
      select ${newId()}, id, ${attempt === 1 ? 'received' : 'corrected'} from claim),
    queued as (${enqueueSql([checkJob(claimId), mail], sql`exists (select from claim)`)}),
    ${networkVisit ? sql`visited as (${networkVisit}),` : sql``}
    notified as (${queueClaimWebhooksSql('claim.received', {}, sql`claim`)}),
    announced as (${announceClaimSql(claimId, 'slots')})
    select claim.*, (select count(*) from announced), (select count(*) from notified) from claim`
}
