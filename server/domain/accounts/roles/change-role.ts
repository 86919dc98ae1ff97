import type { Role } from '#contract/entities.ts'
import type { JournalAction } from '#contract/journal.ts'
import type { Deps } from '#server/deps.ts'
import { releaseReviewLocksOf } from '#server/domain/claims/decisions/review-lock.ts'
import { record } from '#server/domain/journal/record.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { refuse } from '#server/platform/refusal.ts'
import { relist } from '../bans/unban.ts'
import { lockAccount, type LockedAccount } from '../lock-account.ts'
import { type ChangedBy, lockAdministrators, refuseIfLast } from './administrators.ts'

type Account = LockedAccount['account']
type RoleChangeOptions = { userId: string; role: Role; by: ChangedBy }

export type RoleChange = 'offered' | 'offer_withdrawn' | 'withdrawn'

/**
 * Offers a participant the administrator's role, or withdraws the offer or the role. The role begins when the
 * participant accepts the offer and sets a new password, which has to be longer for an administrator.
 * @throws refusals `person_not_found`, `person_deleted`, `already_banned`, `last_administrator`,
 * `role_unchanged`, and as {@link lockAdministrators}.
 */
export async function changeRole(deps: Deps, { userId, role, by }: RoleChangeOptions): Promise<RoleChange> {
  const change = await inTransaction(deps.db, async (tx) => {
    await lockAdministrators(tx, by, userId)
    const { account } = await lockAccount(tx, userId)
    if (account.banned_at) throw refuse('already_banned')
    if (role === 'admin') return offer(tx, account, by)
    if (account.role === 'admin') return withdrawRole(tx, deps.campaign.id, account, by)
    return withdrawOffer(tx, account, by)
  })
  deps.runSoon('mail')
  return change
}

async function offer(tx: Tx, account: Account, by: ChangedBy): Promise<RoleChange> {
  if (account.role === 'admin' || account.role_offered_at) throw refuse('role_unchanged')
  await tx
    .updateTable('users')
    .set({ role_offered_at: NOW, role_offered_by: by.userId })
    .where('id', '=', account.id)
    .execute()
  await recordRoleChange(tx, account, { action: 'role.offered', by, after: { role: 'admin' } })
  await mailUser(tx, account.id, 'role-offered')
  return 'offered'
}

async function withdrawOffer(tx: Tx, account: Account, by: ChangedBy): Promise<RoleChange> {
  if (!account.role_offered_at) throw refuse('role_unchanged')
  await tx
    .updateTable('users')
    .set({ role_offered_at: null, role_offered_by: null })
    .where('id', '=', account.id)
    .execute()
  await recordRoleChange(tx, account, { action: 'role.offer_withdrawn', by, after: { role: 'user' } })
  return 'offer_withdrawn'
}

async function withdrawRole(
  tx: Tx,
  campaignId: string,
  account: Account,
  by: ChangedBy,
): Promise<RoleChange> {
  await refuseIfLast(tx, account.id)
  await tx.updateTable('users').set({ role: 'user' }).where('id', '=', account.id).execute()
  await endSessions(tx, account.id)
  await releaseReviewLocksOf(tx, account.id)
  await relist(tx, campaignId, { id: account.id, role: 'user' })
  await recordRoleChange(tx, account, { action: 'role.changed', by, after: { role: 'user' } })
  await mailUser(tx, account.id, 'role-withdrawn')
  return 'withdrawn'
}

type RoleChangeEntry = { action: JournalAction; by: ChangedBy; after: { role: Role } }

function recordRoleChange(tx: Tx, { id, role }: Account, { action, by, after }: RoleChangeEntry) {
  return record(tx, { actor: by.userId, action, subject: id, before: { role }, after, network: by.network })
}
