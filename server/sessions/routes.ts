import * as contract from '#contract/sessions.ts'
import type { Deps } from '../deps.ts'
import { told } from '../messages.ts'
import { route, type Route } from '../platform/http/route.ts'
import { endSession, endSessions } from './end-sessions.ts'
import { login } from './login.ts'
import { bindingFor } from './session.ts'

export const sessionRoutes = (deps: Deps): Route[] => [
  route(contract.login, async ({ body, network, fromBrowser, ...kept }) => {
    const binding = fromBrowser ? bindingFor(kept.binding.held) : undefined
    const { token, user, device } = await login(deps, body, { network, device: kept.device.held, binding })
    kept.device.give(device)
    if (binding !== undefined) kept.binding.give(binding)
    return { message: told.loggedIn, token, data: user }
  }),
  route(contract.logout, async ({ caller, binding }) => {
    await endSession(deps.db, caller.tokenHash)
    if (binding.held !== undefined) binding.drop()
    return { message: told.loggedOut }
  }),
  route(contract.logoutAll, async ({ caller, binding }) => {
    await endSessions(deps.db, caller.userId)
    if (binding.held !== undefined) binding.drop()
    return { message: told.loggedOut }
  }),
]
