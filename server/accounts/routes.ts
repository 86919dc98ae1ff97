import * as contract from '#contract/accounts.ts'
import type { Deps } from '../deps.ts'
import { told } from '../messages.ts'
import { route, type Route } from '../platform/http/route.ts'
import { browserFor, rememberBrowser } from './asking-browser.ts'
import { changePassword } from './change-password.ts'
import { checkResetCode } from './check-reset-code.ts'
import { sendResetCode } from './forgot-password.ts'
import { register } from './register.ts'
import { resendCode } from './resend-code.ts'
import { resetPassword } from './reset-password.ts'
import { readUser } from './user.ts'
import { verifyEmail } from './verify-email.ts'

export const accountRoutes = (deps: Deps): Route[] => [
  route(contract.register, async ({ body, keepsake }) => {
    const browser = browserFor(deps.keys, body.email, keepsake)
    await register(deps, body, browser)
    rememberBrowser(deps.keys, body.email, keepsake, browser)
    return { message: told.registered }
  }),
  route(contract.verifyEmail, async ({ body, keepsake, network }) => {
    await verifyEmail(deps, body, { keepsake: keepsake.held, network })
    return { message: told.emailVerified }
  }),
  route(contract.resendCode, async ({ body, keepsake, device }) => {
    await resendCode(deps, body, device.held)
    rememberBrowser(deps.keys, body.email, keepsake)
    return { message: told.codeResent }
  }),
  route(contract.forgotPassword, async ({ body, keepsake, device }) => {
    await sendResetCode(deps, body.email, device.held)
    rememberBrowser(deps.keys, body.email, keepsake)
    return { message: told.resetCodeSent }
  }),
  route(contract.verifyOtp, async ({ body, keepsake, device }) => ({
    resetPasswordToken: await checkResetCode(deps, body, { keepsake: keepsake.held, device: device.held }),
    message: told.codeAccepted,
  })),
  route(contract.resetPassword, async ({ body, device }) => {
    device.give(await resetPassword(deps, body, device.held))
    return { message: told.passwordReset }
  }),
  route(contract.changePassword, async ({ body, caller, device }) => {
    device.give(await changePassword(deps, caller, body, device.held))
    return { message: told.passwordChanged }
  }),
  route(contract.profile, async ({ caller }) => ({
    data: await readUser(deps.db, deps.campaign.id, caller.userId),
  })),
]
