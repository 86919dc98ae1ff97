import type { OwnAccount } from '#contract/accounts/own-account.ts'
import type { Deps } from '#server/deps.ts'
import { readFrozenWallet } from './read-person.ts'

/** What an account's owner has to know before deleting it, and whether they are asked to become an administrator. */
export async function readOwnAccount({ db, campaign }: Deps, userId: string): Promise<OwnAccount> {
  const { role_offered_at, locale } = await db
    .selectFrom('users')
    .select(['role_offered_at', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const approved = await db
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('status', '=', 'approved')
    .executeTakeFirst()
  return {
    locale,
    isOfferedRole: role_offered_at !== null,
    hasApprovedClaim: approved !== undefined,
    frozenWallet: await readFrozenWallet(db, campaign.id, userId),
  }
}
