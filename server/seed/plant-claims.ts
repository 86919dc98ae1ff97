import type { CampaignFile } from '#contract/campaign-file.ts'
import { startChecks } from '../evidence/start-checks.ts'
import type { Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { type Credit, credit } from '../points/credit.ts'
import type { ClaimStatus, MadeUp } from './made-up.ts'

/** A made-up participant with a place in the database. */
export type Person = Omit<MadeUp, 'invitedBy' | 'joinedAt' | 'claimedAt'> & {
  id: string
  inviter: Person | undefined
  joinedAt: Date
  claimedAt: Date
  /** How many invitations were paid to them. */
  paid: number
}

type Claim = { id: string; slot: number; status: ClaimStatus; by: Person }

/** Gives those who want one a claim, while there are slots, and pays the approved ones through the ledger. */
export async function plantClaims(tx: Tx, campaign: CampaignFile, people: readonly Person[]): Promise<void> {
  const wanted = people.filter((person) => person.claim !== undefined)
  const { first, count } = await takeSlots(tx, campaign.id, wanted.length)
  const claims = wanted.slice(0, count).map((by, index): Claim => {
    return { id: newId(), slot: first + index, status: by.claim ?? 'submitted', by }
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
  // Their evidence is gathered by the server, as that of everybody else.
  for (const { id, status } of claims) {
    if (status === 'submitted') await startChecks(tx, id)
  }
}

async function takeSlots(
  tx: Tx,
  campaignId: string,
  wanted: number,
): Promise<{ first: number; count: number }> {
  const { slots_total: total, slots_taken: taken } = await tx
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken'])
    .where('id', '=', campaignId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const count = Math.min(wanted, total - taken)
  await tx
    .updateTable('campaigns')
    .set({ slots_taken: taken + count })
    .where('id', '=', campaignId)
    .execute()
  return { first: taken + 1, count }
}

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
    reason: status === 'rejected' ? 'The post does not carry the hashtags.' : null,
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
