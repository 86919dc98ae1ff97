import * as ownAccount from '#contract/accounts/own-account.ts'
import * as people from '#contract/dashboard/people.ts'
import * as person from '#contract/dashboard/person.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { type Call, fileRoute, route, type Route } from '#server/platform/http/route.ts'
import { ban, type ReopenOutcome, unban } from '../accounts/bans/ban.ts'
import { deleteAccount, deleteOwnAccount } from '../accounts/deletion/delete-account.ts'
import { acceptRole, changeRole, declineRole, type RoleChange } from '../accounts/roles/change-role.ts'
import { exportPeople } from './export-people.ts'
import { listPeople } from './list-people.ts'
import { readOwnAccount } from './own-account.ts'
import { exportOwnData, exportPerson } from './personal-data.ts'
import { readPerson } from './read-person.ts'

const UNBANNED: Record<ReopenOutcome, string> = {
  none: messages.personUnbanned,
  reopened: messages.personUnbannedReopened,
  next_slot: messages.personUnbannedNextSlot,
  rejected: messages.personUnbannedRejected,
}

const ROLE_CHANGED: Record<RoleChange, string> = {
  offered: messages.roleOffered,
  offer_withdrawn: messages.roleOfferWithdrawn,
  withdrawn: messages.roleWithdrawn,
}

export const peopleRoutes = (deps: Deps): Route[] => [
  route(ownAccount.ownAccount, async ({ caller }) => ({ data: await readOwnAccount(deps, caller.userId) })),
  // `watch` records the outcome of a call as a security event: `ok`, or its refusal.
  route(ownAccount.exportOwnData, async ({ caller, body, events }) => ({
    data: await events.watch({ event: 'account', ok: 'exported' }, () =>
      exportOwnData(deps, caller, body.password),
    ),
  })),
  route(ownAccount.deleteOwnAccount, async ({ caller, body, events, bindingCookie }) => {
    await events.watch({ event: 'account', ok: 'deleted' }, () => deleteOwnAccount(deps, caller, body))
    if (bindingCookie.value !== undefined) bindingCookie.clear()
    return { message: messages.accountDeleted }
  }),
  route(ownAccount.answerRoleOffer, async ({ caller, body, network, events }) => {
    const { currentPassword, newPassword } = body
    // By the contract, accepting comes with both passwords and declining without any.
    if (currentPassword === undefined || newPassword === undefined) {
      await declineRole(deps, caller, network)
      return { message: messages.roleDeclined }
    }
    await events.watch({ event: 'password', ok: 'changed' }, () =>
      acceptRole(deps, caller, { currentPassword, newPassword }, network),
    )
    return { message: messages.roleAccepted }
  }),

  route(people.listPeople, async ({ query }) => listPeople(deps, query)),
  fileRoute(people.exportPeople, async ({ query, ...call }) =>
    exportPeople(deps, query.list, changedBy(call)),
  ),
  route(person.person, async ({ params, caller, locale }) => ({
    data: await readPerson(deps, params.userId, { reader: caller.userId, locale }),
  })),
  route(person.exportPerson, async ({ params, ...call }) => ({
    data: await exportPerson(deps, params.userId, changedBy(call)),
  })),

  route(person.banPerson, async ({ params, body, events, ...call }) => {
    const options = { ...params, ...body, by: changedBy(call) }
    await events.watch({ event: 'account', ok: 'banned' }, () => ban(deps, options))
    return { message: messages.personBanned }
  }),
  route(person.unbanPerson, async ({ params, caller, network, events }) => {
    const lift = () => unban(deps, { ...params, reviewer: caller, network })
    return { message: UNBANNED[await events.watch({ event: 'account', ok: 'unbanned' }, lift)] }
  }),
  route(person.changeRole, async ({ params, body, ...call }) => ({
    message: ROLE_CHANGED[await changeRole(deps, { ...params, ...body, by: changedBy(call) })],
  })),
  route(person.deletePerson, async ({ params, body, caller, events }) => {
    const deletion = { ...params, ...body, by: caller.userId }
    await events.watch({ event: 'account', ok: 'deleted' }, () => deleteAccount(deps, deletion))
    return { message: messages.accountDeleted }
  }),
]

const changedBy = ({ caller, network }: Pick<Call<typeof person.banPerson>, 'caller' | 'network'>) => ({
  userId: caller.userId,
  network,
})
