import { domainToASCII } from 'node:url'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PASSWORD_LENGTH, trimTyped } from '#contract/protocol/fields.ts'
import { refuseField } from '#server/platform/refusal.ts'

export type EmailAddress = {
  /** For sending mail: as typed, with the domain in ASCII. */
  address: string
  /** The address in lower case, which identifies an account. */
  key: string
  /** Without plus tag and the dots that Gmail ignores. Serves only to detect duplicates. */
  canonical: string
}

const LOCAL_PART = /^[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+)*$/
/** Tested before the conversion to ASCII, which turns 。 into a dot and would cut at a slash or line break. */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.。-]+$/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Limits of RFC 5321. The local part precedes the @. */
const MAX_LOCAL_LENGTH = 64
const MAX_ADDRESS_LENGTH = 254

/**
 * Parses a plain address, without a name or angle brackets. Normalizes it (NFKC) first, so that a later
 * normalization cannot turn it into another address.
 * @throws refusal `invalid_input` naming `email`.
 */
export function readEmail(typed: string): EmailAddress {
  const text = trimTyped(typed.normalize('NFKC'))
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const typedDomain = text.slice(at + 1).toLowerCase()
  const domain = TYPED_DOMAIN.test(typedDomain) ? domainToASCII(typedDomain) : ''
  const address = `${local}@${domain}`
  const isTooLong = local.length > MAX_LOCAL_LENGTH || address.length > MAX_ADDRESS_LENGTH
  if (!LOCAL_PART.test(local) || !isDomain(domain) || isTooLong) throw refuseField('email', 'email_format')
  return { address, key: address.toLowerCase(), canonical: canonicalOf(local.toLowerCase(), domain) }
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  // The last label of an IP address has no letter.
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '')
}

function canonicalOf(local: string, domain: string): string {
  // Leading pluses begin no tag: removing it would leave no name.
  const untagged = local.replace(/(?<=[^+])\+.*$/, '')
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${untagged}@${domain}`
  return `${untagged.replaceAll('.', '')}@gmail.com`
}

const RESERVED = (
  'admin administrator root system support help moderator mod official team staff security postmaster ' +
  'webmaster abuse noreply no-reply null undefined anonymous deleted dropwright api dashboard'
).split(' ')

/**
 * Usernames with the same key look alike and count as one. The key ignores case and punctuation, and unifies
 * characters that are easily confused: l, 1 and I; O and 0; rn and m; vv and w. Migration 0014 does the same.
 */
export function lookalikeKey(username: string): string {
  return username
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('0', 'o')
}

/** @throws refusal `invalid_input` for a username of only reserved words, campaign names and digits. */
export function checkUsername(username: string, { name, token }: CampaignFile): void {
  const words = [...RESERVED, name, token.name, token.symbol]
    .map(lookalikeKey)
    .filter((word) => word.length > 1) // a single letter claims nothing
  const official = new RegExp(`^(${words.join('|')})+$`)
  // Digits may stand for letters (`adm1n`) or be added (`admin1`).
  const readings = [lookalikeKey(username), lookalikeKey(username.replaceAll(/[0-9]/g, ''))]
  if (readings.some((reading) => official.test(reading))) throw refuseField('username', 'username_reserved')
}

type Owner = { username: string; email: EmailAddress; campaign: CampaignFile; isAdmin?: boolean }

/**
 * Refuses a password that is common, or made of what strangers know: the username, the email and names of the
 * campaign. Administrators need 15 code points. The contract checks the length limits for everyone.
 * @throws refusal `invalid_input` naming `field`.
 */
export async function checkPassword(password: string, owner: Owner, field = 'password'): Promise<void> {
  if (owner.isAdmin && [...password].length < PASSWORD_LENGTH.adminMin)
    throw refuseField(field, 'password_short_admin')
  const lower = password.toLowerCase()
  const { name, token } = owner.campaign
  const guessable = [owner.username, owner.email.key.split('@')[0] ?? '', name, token.name, token.symbol]
  commonPasswords ??= await loadCommonPasswords()
  if (commonPasswords.has(lower) || isPattern(lower) || isMadeOf(lower, guessable))
    throw refuseField(field, 'password_common')
}

/**
 * In lower case. Loaded with the first password, so that an idle node does not hold the list in memory. Not a
 * promise: after an import that failed during a build, it would stay rejected.
 */
let commonPasswords: ReadonlySet<string> | undefined

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_LENGTH.min))
}

const SEQUENCES = ['01234567890', 'abcdefghijklmnopqrstuvwxyz'].flatMap((sequence) => [
  sequence,
  [...sequence].toReversed().join(''),
])

/**
 * Whether a password is a sequence (`87654321`), or one to four characters over and over (`aaaaaaaa`,
 * `12341234`). The list lacks these: the estimator that it is made for finds them by rules of its own.
 * Repetitions of more than twelve characters are not common. A repetition begins with its own rest.
 */
function isPattern(password: string): boolean {
  const isRepeated = [1, 2, 3, 4].some((period) => password.startsWith(password.slice(period)))
  return (isRepeated && password.length <= 12) || SEQUENCES.some((sequence) => sequence.includes(password))
}

/** Whether a password is one or more of the words, with nothing else but digits and punctuation. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const longestFirst = words
    .map((word) => word.toLowerCase().replaceAll(' ', ''))
    .filter((word) => word.length >= 2)
    .toSorted((a, b) => b.length - a.length)
  const spaceless = password.replaceAll(' ', '')
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), spaceless)
  return rest.length < spaceless.length && !/\p{L}/u.test(rest)
}
