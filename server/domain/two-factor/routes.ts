import * as contract from '#contract/accounts/two-factor.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
} from './two-factor.ts'

/** @param isRequired whether the site requires two-factor login of administrators. */
export const twoFactorRoutes = (deps: Deps, { isRequired }: { isRequired: boolean }): Route[] => [
  route(contract.twoFactor, async ({ caller }) => ({
    data: { ...(await readTwoFactor(deps.db, caller.userId)), isRequired },
  })),
  route(contract.beginTwoFactor, async ({ caller, body }) => ({
    data: await beginTwoFactor(deps, { caller, password: body.password }),
  })),
  route(contract.confirmTwoFactor, async ({ caller, network, body }) => ({
    message: messages.twoFactorOn,
    recoveryCodes: await confirmTwoFactor(deps, { caller, network, otp: body.otp }),
  })),
  route(contract.renewRecoveryCodes, async ({ caller, network, body }) => ({
    message: messages.recoveryCodesRenewed,
    recoveryCodes: await renewRecoveryCodes(deps, { caller, network, otp: body.otp }),
  })),
  route(contract.endTwoFactor, async ({ caller, network, body }) => {
    const { password, otp } = body
    await endTwoFactor(deps, { caller, network, password, otp, isRequired })
    return { message: messages.twoFactorOff }
  }),
]
