import type { CampaignFile } from '#contract/campaign-file.ts'
import { startChecks } from '../evidence/start-checks.ts'
import type { Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { type Credit, credit } from '../ledger/credit.ts'
import { takeSlots } from '../slots/expire-holds.ts'
import { holdSlot } from '../slots/hold-slot.ts'
import { recordEvent, type ClaimEvent } from '../claims/claim-events.ts'
import type { ClaimStatus, FakePerson } from './fake-people.ts'

/** A made-up participant with a place in the database. */
export type Person = Omit<FakePerson, 'invitedBy' | 'joinedAt' | 'claimedAt'> & {
  id: string
  inviter: Person | undefined
  joinedAt: Date
  claimedAt: Date
  /** How many invitations were paid to them. */
  paid: number
}

type Claim = { id: string; slot: number; status: ClaimStatus; by: Person }

/** Gives those who want one a claim, while there are slots, and pays the approved ones through the ledger. */
export async function seedClaims(tx: Tx, campaign: CampaignFile, people: readonly Person[]): Promise<void> {
  const wanted = people.filter((person) => person.claim !== undefined)
  const numbers = await takeSlots(
    tx,
    campaign.id,
    wanted.map(({ id }) => id),
  )
  const claims = wanted.slice(0, numbers.length).map((by, index): Claim => {
    return { id: newId(), slot: numbers[index] ?? 0, status: by.claim ?? 'submitted', by }
  })
  if (claims.length === 0) return
  await tx
    .insertInto('claims')
    .values(claims.map((claim) => asRow(claim, campaign.id)))
    .execute()
  await credit(
    tx,
    claims.filter(({ status }) => status === 'approved').flatMap((claim) => creditsOf(claim, campaign)),
    { actor: null },
  )
  await recordEvent(tx, ...claims.flatMap(storyOf))
  // Their evidence is gathered by the server, as that of everybody else.
  for (const { id, status, by } of claims) {
    if (status === 'rejected') await holdSlot(tx, campaign.id, by.id)
    if (status === 'submitted') await startChecks(tx, id)
  }
}

function storyOf({ id: claimId, status }: Claim): ClaimEvent[] {
  const received: ClaimEvent = { claimId, what: 'received' }
  if (status === 'submitted' || status === 'under_review') return [received]
  return [received, { claimId, what: status, ...(status === 'rejected' ? { rejection: REJECTION } : {}) }]
}

const REJECTION = { code: 'post_incomplete', text: 'The post does not carry the hashtags.' } as const

/** Milliseconds since 1970 at which X's ids begin to count. */
const SNOWFLAKE_EPOCH = 1_288_834_974_657
const HOUR = 3600 * 1000

function asRow({ id, slot, status, by }: Claim, campaignId: string) {
  const isDecided = status === 'approved' || status === 'rejected'
  const madeAt = by.claimedAt.getTime() - HOUR
  const postId = String((BigInt(madeAt - SNOWFLAKE_EPOCH) << 22n) + BigInt(slot % 4_194_304))
  return {
    id,
    campaign_id: campaignId,
    user_id: by.id,
    status,
    slot,
    wallet: by.wallet,
    telegram: by.telegram,
    twitter: by.twitter,
    post_id: postId,
    retweet_link: `https://x.com/${by.twitter}/status/${postId}`,
    reason_code: status === 'rejected' ? REJECTION.code : null,
    reason: status === 'rejected' ? REJECTION.text : null,
    submitted_at: by.claimedAt,
    decided_at: isDecided ? new Date(Math.min(by.claimedAt.getTime() + 8 * HOUR, Date.now())) : null,
  }
}

function creditsOf({ id: claimId, by }: Claim, { id: campaignId, airdrop }: CampaignFile): Credit[] {
  const { tasks, pointsPerTask, referralReward, referralsPaid } = airdrop
  const amount = tasks.length * pointsPerTask
  const own = (['pf', 'pls'] as const).map((kind) => ({ campaignId, userId: by.id, kind, amount, claimId }))
  const { inviter } = by
  if (!inviter || inviter.paid >= referralsPaid) return own
  inviter.paid += 1
  return [...own, { campaignId, userId: inviter.id, kind: 'referral', amount: referralReward, claimId }]
}
