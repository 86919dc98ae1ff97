import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { isDecided } from '#contract/entities.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { postIdAt, postLink } from '#contract/claims/x-post.ts'
import { checkJob } from '../evidence/start-checks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { enqueueSql } from '#server/platform/jobs/jobs.ts'
import { type Credit, credit } from '../ledger/credit.ts'
import { keepSlot } from '../slots/keep-or-free-slot.ts'
import { lockSlots } from '../slots/take-slot.ts'
import { recordEvent, type ClaimEvent } from '../claims/claim-events.ts'
import { asColumns } from '../claims/claim.ts'
import { type FakePerson, type SeededStatus, walletOf } from './fake-people.ts'

export type Person = Omit<FakePerson, 'inviterFraction' | 'joinedFraction' | 'claimedFraction'> & {
  id: string
  inviter: Inviter | undefined
  joinedAt: Date
  claimedAt: Date
}

/** `rewards`: how many referrals have been rewarded so far. */
export type Inviter = { id: string; rewards: number }

type Claim = { id: string; slot: number; status: SeededStatus; person: Person }

/** Creates the people's claims while slots are left, and credits the approved ones through the ledger. */
export async function seedClaims(tx: Tx, campaign: CampaignFile, people: readonly Person[]): Promise<void> {
  const claimants = people.filter((person) => person.claimStatus !== undefined)
  const userIds = claimants.map(({ id }) => id)
  const slotNumbers = await takeSlots(tx, campaign.id, userIds)
  const claims = claimants.slice(0, slotNumbers.length).map((person, index): Claim => {
    return { id: newId(), slot: slotNumbers[index] ?? 0, status: person.claimStatus ?? 'submitted', person }
  })
  if (claims.length === 0) return

  await moveSlotCounts(tx, campaign.id, claims)
  await tx
    .insertInto('claims')
    .values(claims.map((claim) => asRow(claim, campaign.id)))
    .execute()
  const approved = claims.filter(({ status }) => status === 'approved')
  const credits = approved.flatMap((claim) => creditsOf(claim, campaign))
  await credit(tx, credits, { actor: null })
  await recordEvent(tx, ...claims.flatMap(eventsOf))
  for (const { status, person } of claims)
    if (status === 'rejected') await keepSlot(tx, campaign.id, person.id)

  // The server then checks submitted claims, as it checks real ones.
  const submitted = claims.filter(({ status }) => status === 'submitted')
  if (submitted.length > 0) await enqueueSql(submitted.map(({ id }) => checkJob(id))).execute(tx)
}

/**
 * Assigns slots to seeded participants in order, while slots are left: first freed ones, then the numbers
 * after the highest one. Uses the indexes `slots_free` and `slots_pkey`.
 */
export async function takeSlots(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<number[]> {
  await lockSlots(tx, campaignId)
  const { rows } = await sql<{ number: number }>`
    with available as (
      select number, row_number() over (order by number) as place from (
        (select number from slots where campaign_id = ${campaignId} and state = 'free' order by number limit ${userIds.length})
        union all select coalesce(max(number), 0) + generate_series(1, ${userIds.length}::int) from slots
          where campaign_id = ${campaignId}) next),
    taken as (
      insert into slots (campaign_id, number, user_id, state)
      select c.id, number, taker.id, 'claimed'
      from campaigns c, available join unnest(${userIds}::uuid[]) with ordinality as taker (id, place) using (place)
      where c.id = ${campaignId} and place <= c.slots_total - c.slots_taken
      on conflict (campaign_id, number) do update set user_id = excluded.user_id, state = excluded.state
      returning number),
    counted as (
      update campaigns set slots_taken = slots_taken + (select count(*) from taken) where id = ${campaignId})
    select number from taken order by number`.execute(tx)
  return rows.map(({ number }) => number)
}

/** Moves the counts of taken slots from today, where triggers put them, to the days of the claims. */
async function moveSlotCounts(tx: Tx, campaignId: string, claims: readonly Claim[]): Promise<void> {
  await sql`
    insert into daily_counts (campaign_id, measure, day, part, amount)
    select ${campaignId}, 'slots', utc_day(claimed_at), 'taken', count(*)
    from unnest(${claims.map(({ person }) => person.claimedAt)}::timestamptz[]) claimed_at group by 3
    union all select ${campaignId}, 'slots', utc_day(now()), 'taken', ${-claims.length}::bigint`.execute(tx)
}

const REJECTION = { code: 'post_incomplete', text: 'The post does not carry the hashtags.' } as const

const HOUR_MS = 3600 * 1000

function asRow({ id, slot, status, person }: Claim, campaignId: string) {
  // The post was made an hour before the claim.
  const postId = postIdAt(person.claimedAt.getTime() - HOUR_MS, slot)
  return {
    id,
    campaign_id: campaignId,
    user_id: person.id,
    status,
    slot,
    ...asColumns({
      ...person,
      wallet: walletOf(person.number),
      postId,
      retweetLink: postLink(person.twitter, postId),
    }),
    reason_code: status === 'rejected' ? REJECTION.code : null,
    reason: status === 'rejected' ? REJECTION.text : null,
    submitted_at: person.claimedAt,
    decided_at: isDecided(status)
      ? new Date(Math.min(person.claimedAt.getTime() + person.decidedAfterHours * HOUR_MS, Date.now()))
      : null,
  }
}

/** The credits of an approved claim. Counts a reward to the inviter in `rewards`. */
function creditsOf({ id: claimId, person }: Claim, { id: campaignId, airdrop }: CampaignFile): Credit[] {
  const { referralReward, referralsPaid } = airdrop
  const { pfPoints, plsPoints } = grantedPoints(airdrop)
  const granted: Credit[] = [
    { campaignId, userId: person.id, kind: 'pf', amount: pfPoints, claimId },
    { campaignId, userId: person.id, kind: 'pls', amount: plsPoints, claimId },
  ]
  const { inviter } = person
  if (!inviter || inviter.rewards >= referralsPaid) return granted
  inviter.rewards += 1
  return [...granted, { campaignId, userId: inviter.id, kind: 'referral', amount: referralReward, claimId }]
}

function eventsOf({ id: claimId, status }: Claim): ClaimEvent[] {
  const received: ClaimEvent = { claimId, what: 'received' }
  if (status === 'submitted' || status === 'under_review') return [received]
  return [received, { claimId, what: status, ...(status === 'rejected' ? { rejection: REJECTION } : {}) }]
}
