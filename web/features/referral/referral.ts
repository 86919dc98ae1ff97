import { store, readStored } from '#web/features/session/storage.ts'

/**
 * The format of the server's referral codes, in upper or lower case. Newsletters and other sites use `ref`
 * too, with other values. Repeated in static/head.js, which cannot import.
 */
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/i

/** On every page, static/head.js has done the same; this also works if storage is blocked, in memory. */
export function storeReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref') ?? ''
  if (CODE.test(code)) store('referral', code)
}

/** Empty if no valid code is stored. */
export function readReferral(): string {
  const code = readStored('referral')?.trim() ?? ''
  return CODE.test(code) ? code : ''
}
