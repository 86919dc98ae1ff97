import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { accountApi, type AccountApi, apiWithAccount, EMAIL } from './account-api.ts'
import type { Answer } from './api.ts'

/** What differs between tests of the two purposes of codes. */
export type CodePurpose = {
  name: string
  /** The API with an account or a registration to which a code of this purpose can be mailed. */
  prepare: (t: TestContext) => Promise<AccountApi>
  requestCode: (api: AccountApi, email?: string) => Promise<Answer>
  enter: (api: AccountApi, code: string, email?: string, cookie?: string) => Promise<Answer>
  /** The message in answer to the right code. */
  accepted: string
}

export const VERIFICATION: CodePurpose = {
  name: 'a code to verify an email',
  prepare: async (t) => {
    const api = await accountApi(t)
    await api.register()
    await api.passCooldown()
    return api
  },
  requestCode: (api, email) => api.resend(email),
  enter: (api, ...guess) => api.verify(...guess),
  accepted: 'Email verified successfully!',
}

export const RESET: CodePurpose = {
  name: 'a code to reset a password',
  prepare: apiWithAccount,
  requestCode: (api, email) => api.forgot(email),
  enter: (api, ...guess) => api.exchange(...guess),
  accepted: 'OTP verified successfully',
}

export const PURPOSES = [VERIFICATION, RESET]

/** An email with neither an account nor a registration. */
export const UNKNOWN_EMAIL = 'nobody@mail.example'

/** After this time, a code has expired. Codes this far apart stay below the limit of five an hour. */
export const UNTIL_NEXT_CODE = '16 minutes'

export async function obtainCode({ requestCode }: CodePurpose, api: AccountApi): Promise<string> {
  assert.equal((await requestCode(api)).status, 200)
  return api.codeFor(EMAIL)
}

/** What {@link outcomeOf} returns after a wrong or expired code. */
export const INVALID = [
  400,
  'code_invalid',
  'This code is wrong or has expired. Check it or request a new one.',
]
/** What {@link outcomeOf} returns after too many wrong codes. */
export const EXHAUSTED = [429, 'code_exhausted', 'Too many wrong codes. Please request a new one.']
export const outcomeOf = ({ status, body }: Answer) => [status, body.code, body.message]
