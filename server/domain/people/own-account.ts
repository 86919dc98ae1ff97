import type { OwnAccount } from '#contract/accounts/own-account.ts'
import type { Deps } from '#server/deps.ts'
import { hasUnfrozenClaim, readFrozenWallet } from '../payouts/own-payout.ts'

/** The last two fields are what an owner has to know before deleting the account. */
export async function readOwnAccount({ db, campaign }: Deps, userId: string): Promise<OwnAccount> {
  const { role_offered_at, locale } = await db
    .selectFrom('users')
    .select(['role_offered_at', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    locale,
    isOfferedRole: role_offered_at !== null,
    // A claim in a freeze is paid even if its account has been deleted.
    hasApprovedClaim: await hasUnfrozenClaim(db, campaign.id, userId),
    frozenWallet: await readFrozenWallet(db, campaign.id, userId),
  }
}
