import { store, readStored } from '#web/features/session/storage.ts'

/**
 * The format of the server's referral codes, in upper or lower case. Newsletters and other sites use `ref`
 * too, with other values. Repeated in static/head.js, which cannot import.
 */
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/i

/** Does again what static/head.js has done, and keeps the code in memory if storage is blocked. */
export function storeReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref') ?? ''
  if (CODE.test(code)) store('referral', code)
}

/** Empty if no valid code is stored. */
export function readReferral(): string {
  const code = readStored('referral')?.trim() ?? ''
  return CODE.test(code) ? code : ''
}
