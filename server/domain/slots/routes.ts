import * as contract from '#contract/claims/slots.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { joinWaitingList, leaveWaitingList } from './waiting-list.ts'

export const slotRoutes = (deps: Deps): Route[] => [
  route(contract.joinWaitingList, async ({ caller }) => ({
    data: await joinWaitingList(deps, caller.userId),
    message: messages.waiting,
  })),
  route(contract.leaveWaitingList, async ({ caller }) => {
    await leaveWaitingList(deps, caller.userId)
    deps.runSoon('slots')
    return { message: messages.notWaiting }
  }),
]
