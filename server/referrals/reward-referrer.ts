import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Tx } from '../platform/database.ts'
import { type CreditedBy, credit } from '../ledger/credit.ts'

type Approved = { claimId: string; campaignId: string; userId: string; by: CreditedBy }

/**
 * Pays who invited the participant of a claim that is being approved, in the same transaction: once for
 * each invited person, at most `referralsPaid` times, never somebody for themselves.
 */
export async function rewardReferrer(tx: Tx, campaign: CampaignFile, approved: Approved): Promise<void> {
  const { referralReward, referralsPaid } = campaign.airdrop
  const invited = await tx
    .selectFrom('users')
    .select(['referred_by', 'email_twin'])
    .where('id', '=', approved.userId)
    .executeTakeFirst()
  if (!invited?.referred_by) return
  // Locked, so that approvals of two people whom one person invited count one after the other.
  const referrer = await tx
    .selectFrom('users')
    .select(['id', 'email_twin', 'role', 'banned_at'])
    .where('id', '=', invited.referred_by)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!referrer || referrer.banned_at || referrer.role !== 'user') return
  if (referrer.email_twin === invited.email_twin) return
  if (await sharesWalletOrHandle(tx, approved, referrer.id)) return
  if ((await paidSoFar(tx, approved.campaignId, referrer.id)) >= referralsPaid) return
  const { campaignId, claimId, by } = approved
  await credit(
    tx,
    [{ campaignId, userId: referrer.id, kind: 'referral', amount: referralReward, claimId }],
    by,
  )
}

/** Live claims cannot share these, but an earlier, rejected one of either may have. */
async function sharesWalletOrHandle(tx: Tx, { userId }: Approved, referrerId: string): Promise<boolean> {
  const shared = await tx
    .selectFrom('claims as mine')
    .innerJoin('claims as theirs', (join) => join.on('theirs.user_id', '=', referrerId))
    .select('theirs.id')
    .where('mine.user_id', '=', userId)
    .where((where) =>
      where.or(
        (['wallet', 'telegram', 'twitter'] as const).map((column) =>
          where(where.fn('lower', [`mine.${column}`]), '=', where.fn('lower', [`theirs.${column}`])),
        ),
      ),
    )
    .executeTakeFirst()
  return shared !== undefined
}

/** How many rewards the referrer has and was not taken back. */
async function paidSoFar(tx: Tx, campaignId: string, referrerId: string): Promise<number> {
  const { paid } = await tx
    .selectFrom('ledger')
    .select(
      sql<number>`count(*) filter (where reverses is null) - count(*) filter (where reverses is not null)`.as(
        'paid',
      ),
    )
    .where('user_id', '=', referrerId)
    .where('campaign_id', '=', campaignId)
    .where('kind', '=', 'referral')
    .executeTakeFirstOrThrow()
  return paid
}
