import type { Attribution } from '#server/domain/journal/record.ts'
import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { readEffective } from '../campaign/settings/overrides.ts'
import { credit, reverse } from '../ledger/credit.ts'
import { readLiveFreeze } from '../payouts/live-freeze.ts'

type ApprovedClaim = { claimId: string; campaignId: string; userId: string; by: Attribution }

/**
 * Rewards the referrer of a participant whose claim is being approved, in the same transaction: once for each
 * invited participant, at most `referralsPaid` times, and never for another account of the referrer's.
 * @param file the campaign file, without overrides.
 */
export async function rewardReferrer(tx: Tx, file: CampaignFile, approved: ApprovedClaim): Promise<void> {
  const invited = await tx
    .selectFrom('users')
    .select(['referred_by', 'canonical_email'])
    .where('id', '=', approved.userId)
    .executeTakeFirst()
  if (!invited?.referred_by) return
  // Locked, so that concurrent approvals cannot exceed the cap.
  const referrer = await tx
    .selectFrom('users')
    .select(['id', 'canonical_email', 'role', 'banned_at'])
    .where('id', '=', invited.referred_by)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!referrer || referrer.banned_at || referrer.role !== 'user') return
  if (referrer.canonical_email === invited.canonical_email) return
  if (await sharesWalletOrHandle(tx, approved, referrer.id)) return
  // Reads the database: another node may just have raised the cap, and a missed reward is never made up for.
  const { referralReward, referralsPaid } = (await readEffective(tx, file)).campaign.airdrop
  if ((await countRewards(tx, approved.campaignId, referrer.id)) >= referralsPaid) return
  const { campaignId, claimId, by } = approved
  const reward = { userId: referrer.id, kind: 'referral', amount: referralReward } as const
  await credit(tx, [{ campaignId, claimId, ...reward }], by)
}

/** Whether the two have ever claimed with the same wallet or handle: rejected claims count, too. */
async function sharesWalletOrHandle(tx: Tx, { userId }: ApprovedClaim, referrerId: string): Promise<boolean> {
  const shared = await tx
    .selectFrom('claims as invited')
    .innerJoin('claims as referrer', (join) => join.on('referrer.user_id', '=', referrerId))
    .select('referrer.id')
    .where('invited.user_id', '=', userId)
    .where(({ or, eb, fn }) =>
      or(
        (['wallet', 'telegram', 'twitter'] as const).map((column) =>
          eb(fn('lower', [`invited.${column}`]), '=', fn('lower', [`referrer.${column}`])),
        ),
      ),
    )
    .executeTakeFirst()
  return shared !== undefined
}

/**
 * Takes back the reward for a participant who deletes their account, unless a freeze that has not been undone
 * pays for their claim and with it the reward. Otherwise, one person could earn a referrer a reward again and
 * again: nothing is kept by which someone who deleted their account could be recognized.
 */
export async function takeBackReward(
  tx: Tx,
  { claimId, campaignId, userId, by }: ApprovedClaim,
): Promise<void> {
  if (!(await isFrozen(tx, campaignId, userId))) await reverse(tx, claimId, by, 'referral')
}

/** Uses the index `payout_shares_pkey`. */
async function isFrozen(tx: Tx, campaignId: string, userId: string): Promise<boolean> {
  const live = await readLiveFreeze(tx, campaignId)
  if (!live) return false
  const share = await tx
    .selectFrom('payout_shares')
    .select('user_id')
    .where('freeze_id', '=', live.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return share !== undefined
}

/** Rewards that have not been reversed. */
async function countRewards(tx: Tx, campaignId: string, referrerId: string): Promise<number> {
  const { rewards } = await tx
    .selectFrom('ledger')
    .select(sql<number>`count(*) filter (where reverses is null) - count(reverses)`.as('rewards'))
    .where('user_id', '=', referrerId)
    .where('campaign_id', '=', campaignId)
    .where('kind', '=', 'referral')
    .executeTakeFirstOrThrow()
  return rewards
}

/** The owner of a referral code in upper or lower case; undefined for a banned account. */
export function findReferrer(
  db: Database | Tx,
  code: string,
): Promise<{ id: string; username: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('referral_code', '=', code.toUpperCase())
    .where('banned_at', 'is', null)
    .executeTakeFirst()
}
