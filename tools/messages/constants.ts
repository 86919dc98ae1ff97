import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { PICTURE_LIMITS } from '#contract/dashboard/pictures.ts'
import { MAX_WEBHOOKS } from '#contract/dashboard/webhooks.ts'
import { CODE_LENGTH, PASSWORD_LENGTH } from '#contract/protocol/fields.ts'

/** Figures of the contract that a message may name in capitals, `{MAX_ATTEMPTS}`; they are filled in when it is compiled. */
export const CONSTANTS: Readonly<Record<string, number>> = {
  MAX_ATTEMPTS,
  SLOT_HOURS,
  CODE_LENGTH,
  PASSWORD_MIN: PASSWORD_LENGTH.min,
  PASSWORD_ADMIN_MIN: PASSWORD_LENGTH.adminMin,
  PASSWORD_MAX: PASSWORD_LENGTH.max,
  SMALLEST_PICTURE: PICTURE_LIMITS.smallest,
  MAX_WEBHOOKS,
}
