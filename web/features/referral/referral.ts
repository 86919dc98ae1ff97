import { store, readStored } from '#web/features/session/storage.ts'

/**
 * The format of the server's referral codes, in upper or lower case. Newsletters and other sites use `ref`
 * too, with other values. Repeated in static/head.js, which cannot import.
 */
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/i

/** Stores the code of an invitation link. So does static/head.js, but not in memory if storage is blocked. */
export function storeReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref') ?? ''
  if (CODE.test(code)) store('referral', code)
}

/** Whatever may be a code: what the register form accepts, except words in lower case such as `newsletter`. */
const POSSIBLE_CODE = /^(?=.*[0-9A-Z])[0-9A-Za-z-]{1,40}$/

/** The stored referral code, else a possible one in the address; empty if there is neither. */
export function readReferral(search: string): string {
  const code = readStored('referral')?.trim() ?? ''
  if (CODE.test(code)) return code
  const linked = new URLSearchParams(search).get('ref') ?? ''
  return POSSIBLE_CODE.test(linked) ? linked : ''
}
