import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'

/** Figures of the contract that a message may name in capitals, `{MAX_ATTEMPTS}`; they are filled in when it is compiled. */
export const CONSTANTS: Readonly<Record<string, number>> = { MAX_ATTEMPTS, SLOT_HOURS }
