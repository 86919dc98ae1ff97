import * as z from 'zod/mini'

// The rules of length and format of every input field. An issue’s message is a key of FIELD_ERRORS in
// messages/en/errors.json, never a sentence.

export const USERNAME_PATTERN = /^[A-Za-z0-9_.-]{3,20}$/
export const PASSWORD_LENGTH = { min: 8, max: 128, adminMin: 15 } as const
/** Digits of a one-time code (OTP). */
export const CODE_LENGTH = 6

/** Counts code points, not UTF-16 units, so that an emoji counts once. */
const countCodePoints = (text: string) => [...text].length

export const Username = z
  .string()
  .check(z.regex(USERNAME_PATTERN, 'username_format'), z.regex(/[A-Za-z]/, 'username_letter'))

/** Only the length is checked here: the server normalizes the address (NFKC) and then validates it. */
export const Email = z.string().check(z.minLength(3, 'email_format'), z.maxLength(320, 'email_format'))

const newPassword = (min: number, tooShort: string) =>
  z.string().check(
    z.refine((text) => countCodePoints(text) >= min, tooShort),
    z.refine((text) => countCodePoints(text) <= PASSWORD_LENGTH.max, 'password_long'),
  )

/** A password to set: 8 to 128 arbitrary code points. */
export const NewPassword = newPassword(PASSWORD_LENGTH.min, 'password_short')

export const NewAdminPassword = newPassword(PASSWORD_LENGTH.adminMin, 'password_short_admin')

/** A password to verify. Only its length is checked: an invalid one is refused as wrong, not as malformed. */
export const CurrentPassword = z
  .string()
  .check(z.minLength(1, 'required'), z.maxLength(1024, 'password_long'))

/** Six ASCII digits; a string, because leading zeros count. */
export const Code = z.string().check(z.regex(/^[0-9]{6}$/, 'code_format'))

export const MAX_TWO_FACTOR_CODE_LENGTH = 40

/** A code of an authenticator app, or a recovery code. Only its length is checked here, not its format. */
export const TwoFactorCode = z.string().check(z.maxLength(MAX_TWO_FACTOR_CODE_LENGTH, 'code_format'))

export const ResetToken = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'reset_token_format'))

export const ReferralCode = z
  .string()
  .check(
    z.trim(),
    z.maxLength(40, 'referral_code_format'),
    z.regex(/^[A-Za-z0-9-]*$/, 'referral_code_format'),
  )

/**
 * Control and format characters, which terminals, spreadsheets and logs may interpret, and lone surrogates,
 * which PostgreSQL refuses; but not line breaks, nor the zero-width joiners in emoji. A joiner may separate
 * two lone surrogates, so joiners are skipped here and not removed beforehand.
 */
const CONTROL = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Cs}]/u
const isPlain = (text: string) => !CONTROL.test(text)

/**
 * Without white space and invisible characters at either end, such as the direction marks that chats put
 * around what is copied from them.
 */
export function trimTyped(text: string): string {
  // One expression for both ends would take quadratic time on white space within the text.
  const characters = [...text]
  const first = characters.findIndex(isVisible)
  return first === -1 ? '' : characters.slice(first, characters.findLastIndex(isVisible) + 1).join('')
}

const isVisible = (character: string) => !/[\s\p{Cf}]/u.test(character)

/** Trimmed plain text without control characters; its length is counted in code points. */
export function plainText(minimum: number, maximum: number) {
  return z.string().check(
    z.trim(),
    z.refine((text) => countCodePoints(text) >= minimum, 'required'),
    z.refine((text) => countCodePoints(text) <= maximum, 'text_long'),
    z.refine(isPlain, 'text_format'),
  )
}

/** Whether a moment is in the years 1 to 9999 (UTC). JSON writes later and negative years with a sign. */
export const isInFourDigitYear = (text: string) => /^(?!0000)\d/.test(new Date(text).toJSON())

/** A moment in ISO 8601 with its offset from UTC. @param error the message of its issues. */
export const moment = (error: string) =>
  z.iso.datetime({ offset: true, error, abort: true }).check(z.refine(isInFourDigitYear, error))
