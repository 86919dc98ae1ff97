import * as contract from '#contract/accounts/accounts.ts'
import * as ownAccount from '#contract/accounts/own-account.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { browserFor, setFlowCookie } from './flow-browser.ts'
import { changePassword } from './password/password.ts'
import { exchangeResetCode, resetPassword, sendResetCode } from './password/reset-password.ts'
import { register } from './registration/register.ts'
import { resendCode } from './registration/resend-code.ts'
import { chooseLocale, readUser } from './user.ts'
import { readRank } from '../leaderboard/read-board.ts'
import { verifyEmail } from './registration/verify-email.ts'

const RESET = 'reset-password'

/** The security event of a call that requests or enters a code. `ok`: the outcome if it is not refused. */
const codeEvent = <Ok extends 'asked' | 'accepted'>(ok: Ok, email: string, purpose = 'verify-email') =>
  ({ event: 'code', ok, email, purpose }) as const

export const accountRoutes = (deps: Deps): Route[] => [
  route(contract.register, async ({ body, flowCookie, network, locale, events }) => {
    const browser = browserFor(deps.keys, body.email, flowCookie, network)
    const client = { browser, cookie: flowCookie.value, network, locale }
    const submit = () => register(deps, body, client)
    await events.watch(codeEvent('asked', body.email), submit)
    setFlowCookie(deps.keys, body.email, flowCookie, browser)
    return { message: messages.registered }
  }),
  route(contract.verifyEmail, async ({ body, flowCookie, network, events }) => {
    const verify = () => verifyEmail(deps, body, { flowCookie: flowCookie.value, network })
    await events.watch(codeEvent('accepted', body.email), verify)
    return { message: messages.emailVerified }
  }),
  route(contract.resendCode, async ({ body, flowCookie, deviceCookie, network, events }) => {
    const resend = () =>
      resendCode(deps, body, { network, deviceCookie: deviceCookie.value, flowCookie: flowCookie.value })
    await events.watch(codeEvent('asked', body.email, body.purpose), resend)
    setFlowCookie(deps.keys, body.email, flowCookie)
    return { message: messages.codeResent }
  }),
  route(contract.forgotPassword, async ({ body, flowCookie, deviceCookie, network, events }) => {
    const send = () => sendResetCode(deps, body.email, { network, deviceCookie: deviceCookie.value })
    await events.watch(codeEvent('asked', body.email, RESET), send)
    setFlowCookie(deps.keys, body.email, flowCookie)
    return { message: messages.resetCodeSent }
  }),
  route(contract.verifyOtp, async ({ body, flowCookie, deviceCookie, events }) => {
    const exchange = () =>
      exchangeResetCode(deps, body, { flow: flowCookie.value, device: deviceCookie.value })
    const resetPasswordToken = await events.watch(codeEvent('accepted', body.email, RESET), exchange)
    return { resetPasswordToken, message: messages.codeAccepted }
  }),
  route(contract.resetPassword, async ({ body, deviceCookie, events }) => {
    const reset = { event: 'password', ok: 'reset', email: body.email } as const
    deviceCookie.set(await events.watch(reset, () => resetPassword(deps, body, deviceCookie.value)))
    return { message: messages.passwordReset }
  }),
  route(contract.changePassword, async ({ body, caller, deviceCookie, events }) => {
    const change = { event: 'password', ok: 'changed' } as const
    deviceCookie.set(await events.watch(change, () => changePassword(deps, caller, body, deviceCookie.value)))
    return { message: messages.passwordChanged }
  }),
  route(contract.profile, async ({ caller: { userId } }) => {
    const { db, campaign } = deps
    const [user, rank] = await Promise.all([
      readUser(db, campaign.id, userId),
      readRank(db, campaign.id, userId),
    ])
    return { data: { ...user, rank } }
  }),
  route(ownAccount.chooseLocale, async ({ body, caller }) => {
    await chooseLocale(deps.db, caller.userId, body.locale)
    return { message: messages.localeChosen }
  }),
]
