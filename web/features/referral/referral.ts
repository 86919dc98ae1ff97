import { forget, store, stored } from '#web/features/session/storage.ts'

const CODE = /^[A-Za-z0-9-]{1,40}$/

/**
 * Keeps the code of an address like `/?ref=CODE` until its visitor registers, also in a browser that blocks storage.
 * In others /head.js has done so already, on pages too, before anybody could leave.
 */
export function keepReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref')
  if (code) store('referral', code)
}

/** The code somebody arrived with; empty when there was none, or none that could be. */
export function keptReferral(): string {
  const code = stored('referral')?.trim() ?? ''
  return CODE.test(code) ? code : ''
}

export function forgetReferral(): void {
  forget('referral')
}
