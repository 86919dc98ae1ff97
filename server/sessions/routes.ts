import * as contract from '#contract/sessions.ts'
import type { Deps } from '../deps.ts'
import { told } from '../messages.ts'
import { route, type Route } from '../platform/http/route.ts'
import { endSession, endSessions } from './end-sessions.ts'
import { login } from './login.ts'
import { bindingFor } from './session.ts'

const ENDED = { event: 'session', ok: 'ended' } as const

export const sessionRoutes = (deps: Deps): Route[] => [
  route(contract.login, async ({ body, network, fromBrowser, events, ...kept }) => {
    const binding = fromBrowser ? bindingFor(kept.binding.held) : undefined
    const enter = () => login(deps, body, { network, device: kept.device.held, binding })
    const attempt = { event: 'login', ok: 'ok', email: body.email } as const
    const { token, user, device } = await events.watch(attempt, enter, (entered) => entered.user._id)
    kept.device.give(device)
    if (binding !== undefined) kept.binding.give(binding)
    return { message: told.loggedIn, token, data: user }
  }),
  route(contract.logout, async ({ caller, binding, events }) => {
    await events.watch(ENDED, () => endSession(deps.db, caller.tokenHash))
    if (binding.held !== undefined) binding.drop()
    return { message: told.loggedOut }
  }),
  route(contract.logoutAll, async ({ caller, binding, events }) => {
    await events.watch(ENDED, () => endSessions(deps.db, caller.userId))
    if (binding.held !== undefined) binding.drop()
    return { message: told.loggedOut }
  }),
]
