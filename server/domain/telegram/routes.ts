import * as contract from '#contract/accounts/telegram.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { beginTelegramConnection, finishTelegramConnection } from './connect.ts'
import type { TelegramLogin } from './provider.ts'
import { disconnectTelegram } from './account.ts'

/** @param login undefined if it is not configured. */
export const telegramRoutes = (deps: Deps, login: TelegramLogin | undefined): Route[] => [
  route(contract.beginTelegram, async ({ caller }) => ({
    data: await beginTelegramConnection(deps, login, caller.userId),
  })),
  route(contract.finishTelegram, async ({ body, caller, network }) => ({
    data: await finishTelegramConnection(deps, login, { ...body, userId: caller.userId, network }),
    message: messages.telegramConnected,
  })),
  route(contract.disconnectTelegram, async ({ caller, network }) => {
    await disconnectTelegram(deps, { userId: caller.userId, network })
    return { message: messages.telegramDisconnected }
  }),
]
