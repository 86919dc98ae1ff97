import { store, readStored } from '#web/features/session/storage.ts'

/**
 * The shape of the codes that the server makes, in upper or lower case. Any other `ref` is not ours:
 * newsletters and other sites use it too. Repeated in static/head.js, which cannot import.
 */
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/i

/** As /head.js does earlier on every page; this call also keeps the code in memory if storage is blocked. */
export function storeReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref') ?? ''
  if (CODE.test(code)) store('referral', code)
}

/** The stored referral code; empty if there is none or it is malformed. */
export function readReferral(): string {
  const code = readStored('referral')?.trim() ?? ''
  return CODE.test(code) ? code : ''
}
