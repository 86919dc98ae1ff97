import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_LENGTH } from '#contract/protocol/fields.ts'

/** Common passwords in lower case: those that are long enough for the password rules. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_LENGTH.min),
)
