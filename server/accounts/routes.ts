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

const RESET = 'reset-password'

/** A code of that purpose is asked for, or tried. */
const code = <Ok extends 'asked' | 'accepted'>(ok: Ok, email: string, purpose = 'verify-email') =>
  ({ event: 'code', ok, email, purpose }) as const

export const accountRoutes = (deps: Deps): Route[] => [
  route(contract.register, async ({ body, keepsake, network, events }) => {
    const browser = browserFor(deps.keys, body.email, keepsake, network)
    const join = () => register(deps, body, { browser, hasCookie: keepsake.held !== undefined, network })
    await events.watch(code('asked', body.email), join)
    rememberBrowser(deps.keys, body.email, keepsake, browser)
    return { message: told.registered }
  }),
  route(contract.verifyEmail, async ({ body, keepsake, network, events }) => {
    const verify = () => verifyEmail(deps, body, { keepsake: keepsake.held, network })
    await events.watch(code('accepted', body.email), verify)
    return { message: told.emailVerified }
  }),
  route(contract.resendCode, async ({ body, keepsake, device, network, events }) => {
    const resend = () => resendCode(deps, body, { network, device: device.held, keepsake: keepsake.held })
    await events.watch(code('asked', body.email, body.purpose), resend)
    rememberBrowser(deps.keys, body.email, keepsake)
    return { message: told.codeResent }
  }),
  route(contract.forgotPassword, async ({ body, keepsake, device, network, events }) => {
    const send = () => sendResetCode(deps, body.email, { network, device: device.held })
    await events.watch(code('asked', body.email, RESET), send)
    rememberBrowser(deps.keys, body.email, keepsake)
    return { message: told.resetCodeSent }
  }),
  route(contract.verifyOtp, async ({ body, keepsake, device, events }) => {
    const exchange = () => checkResetCode(deps, body, { keepsake: keepsake.held, device: device.held })
    const resetPasswordToken = await events.watch(code('accepted', body.email, RESET), exchange)
    return { resetPasswordToken, message: told.codeAccepted }
  }),
  route(contract.resetPassword, async ({ body, device, events }) => {
    const reset = { event: 'password', ok: 'reset', email: body.email } as const
    device.give(await events.watch(reset, () => resetPassword(deps, body, device.held)))
    return { message: told.passwordReset }
  }),
  route(contract.changePassword, async ({ body, caller, device, events }) => {
    const change = { event: 'password', ok: 'changed' } as const
    device.give(await events.watch(change, () => changePassword(deps, caller, body, device.held)))
    return { message: told.passwordChanged }
  }),
  route(contract.profile, async ({ caller }) => ({
    data: await readUser(deps.db, deps.campaign.id, caller.userId),
  })),
]
