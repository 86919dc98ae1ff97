import { forget, store, stored } from '#web/features/session/storage.ts'

const CODE = /^[A-Za-z0-9-]{1,40}$/

/** Keeps the code of an address like `/?ref=CODE` until its visitor registers. */
export function keepReferral(search: string): void {
  const code = new URLSearchParams(search).get('ref')?.trim()
  if (code && CODE.test(code)) store('referral', code)
}

/** The code somebody arrived with; empty when there was none. */
export function keptReferral(): string {
  return stored('referral') ?? ''
}

export function forgetReferral(): void {
  forget('referral')
}
