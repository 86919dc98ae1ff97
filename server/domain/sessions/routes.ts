import * as contract from '#contract/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { endSession, endSessions, bindingFor } from './session.ts'
import { login } from './login.ts'

const ENDED = { event: 'session', ok: 'ended' } as const

export const sessionRoutes = (deps: Deps): Route[] => [
  route(contract.login, async ({ body, network, fromBrowser, events, ...cookies }) => {
    const binding = fromBrowser ? bindingFor(cookies.bindingCookie.value) : undefined
    const start = () => login(deps, body, { network, device: cookies.deviceCookie.value, binding })
    const attempt = { event: 'login', ok: 'ok', email: body.email } as const
    const { token, user, device } = await events.watch(attempt, start, (result) => result.user._id)
    cookies.deviceCookie.set(device)
    if (binding !== undefined) cookies.bindingCookie.set(binding)
    return { message: messages.loggedIn, token, data: user }
  }),
  route(contract.logout, async ({ caller, bindingCookie, events }) => {
    await events.watch(ENDED, () => endSession(deps.db, caller.tokenHash))
    if (bindingCookie.value !== undefined) bindingCookie.clear()
    return { message: messages.loggedOut }
  }),
  route(contract.logoutAll, async ({ caller, bindingCookie, events }) => {
    await events.watch(ENDED, () => endSessions(deps.db, caller.userId))
    if (bindingCookie.value !== undefined) bindingCookie.clear()
    return { message: messages.loggedOut }
  }),
]
