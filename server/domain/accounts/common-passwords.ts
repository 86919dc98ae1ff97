import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_LENGTH } from '#contract/protocol/fields.ts'

/** In lower case; those that are long enough to be chosen. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_LENGTH.min),
)
