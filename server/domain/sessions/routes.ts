import * as ownSessions from '#contract/accounts/own-sessions.ts'
import * as contract from '#contract/accounts/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { login } from './login.ts'
import { originOf } from './origin.ts'
import { bindingFor, endOneSession, endSession, endSessions, listSessions } from './session.ts'

/** A security event; `ok` is its outcome unless the call is refused. */
const ENDED = { event: 'session', ok: 'ended' } as const

export const sessionRoutes = (deps: Deps): Route[] => [
  route(contract.login, async ({ body, network, isFromBrowser, userAgent, events, ...cookies }) => {
    const binding = isFromBrowser ? bindingFor(cookies.bindingCookie.value) : undefined
    const origin = originOf({ network, userAgent })
    const start = () =>
      login(deps, body, { network, deviceCookie: cookies.deviceCookie.value, binding, origin })
    const attempt = { event: 'login', ok: 'ok', email: body.email } as const
    const { token, user, newDeviceCookie } = await events.watch(attempt, start, (result) => result.user._id)
    cookies.deviceCookie.set(newDeviceCookie)
    if (binding !== undefined) cookies.bindingCookie.set(binding)
    return { message: messages.loggedIn, token, data: user }
  }),
  route(contract.logout, async ({ caller, bindingCookie, events }) => {
    await events.watch(ENDED, () => endSession(deps.db, caller.tokenHash))
    if (bindingCookie.value !== undefined) bindingCookie.clear()
    return { message: messages.loggedOut }
  }),
  route(ownSessions.listSessions, async ({ caller }) => ({ data: await listSessions(deps.db, caller) })),
  route(ownSessions.endOneSession, async ({ caller, params, events }) => {
    await events.watch(ENDED, () => endOneSession(deps.db, caller, params.id))
    return { message: messages.sessionEnded }
  }),
  route(ownSessions.endOtherSessions, async ({ caller, events }) => {
    await events.watch(ENDED, () => endSessions(deps.db, caller.userId, { except: caller.tokenHash }))
    return { message: messages.sessionsEnded }
  }),
  route(contract.logoutAll, async ({ caller, bindingCookie, events }) => {
    await events.watch(ENDED, () => endSessions(deps.db, caller.userId))
    if (bindingCookie.value !== undefined) bindingCookie.clear()
    return { message: messages.loggedOut }
  }),
]
