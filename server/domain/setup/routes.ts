import * as contract from '#contract/accounts/setup.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { originOf } from '../sessions/origin.ts'
import { bindingFor } from '../sessions/session.ts'
import { checkLink } from './links.ts'
import { setUp } from './set-up.ts'

export const setupRoutes = (deps: Deps): Route[] => [
  route(contract.checkSetupLink, async ({ body }) => {
    await checkLink(deps.db, body.token)
    return { message: messages.setupLinkOpen }
  }),
  route(contract.setUp, async ({ body, isFromBrowser, bindingCookie, deviceCookie, events, ...from }) => {
    const binding = isFromBrowser ? bindingFor(bindingCookie.value) : undefined
    const create = () =>
      setUp(deps, body, { binding, deviceCookie: deviceCookie.value, origin: originOf(from) })
    const attempt = { event: 'login', ok: 'ok', email: body.email } as const // setting up logs in
    const { sessionToken, user, newDeviceCookie } = await events.watch(
      attempt,
      create,
      (result) => result.user._id,
    )
    deviceCookie.set(newDeviceCookie)
    if (binding !== undefined) bindingCookie.set(binding)
    return { message: messages.setUp, token: sessionToken, data: user }
  }),
]
