import * as contract from '#contract/sessions.ts'
import type { Deps } from '../deps.ts'
import { told } from '../messages.ts'
import { route, type Route } from '../platform/http/route.ts'
import { endSession, endSessions } from './end-sessions.ts'
import { login } from './login.ts'

export const sessionRoutes = (deps: Deps): Route[] => [
  route(contract.login, async ({ body, network }) => {
    const { token, user } = await login(deps, body, network)
    return { message: told.loggedIn, token, data: user }
  }),
  route(contract.logout, async ({ caller }) => {
    await endSession(deps.db, caller.tokenHash)
    return { message: told.loggedOut }
  }),
  route(contract.logoutAll, async ({ caller }) => {
    await endSessions(deps.db, caller.userId)
    return { message: told.loggedOut }
  }),
]
