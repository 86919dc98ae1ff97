import { domainToASCII } from 'node:url'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PASSWORD_LENGTH } from '#contract/protocol/fields.ts'
import { refuseField } from '#server/platform/refusal.ts'

/** One email in its three forms. */
export type EmailAddress = {
  /** For sending mail: as typed, with the domain in ASCII. */
  address: string
  /** The identity: the address in lower case. */
  key: string
  /** Without plus tag and the dots that Gmail ignores. Detects duplicates; never used to send or log in. */
  canonical: string
}

const LOCAL = /^[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+)*$/
/** Tests a domain before it is converted to ASCII: the conversion would cut it at a slash or a line break. */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.。-]+$/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Before the @, and in all (RFC 5321). */
const MAX_LOCAL_LENGTH = 64
const MAX_ADDRESS_LENGTH = 254

/**
 * Parses one plain address, without a name or angle brackets. Normalizes it (NFKC) first, so that it cannot
 * become another address after validation.
 * @throws refusal `invalid_input` naming `email`.
 */
export function readEmail(typed: string): EmailAddress {
  const text = typed.normalize('NFKC').trim()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const typedDomain = text.slice(at + 1).toLowerCase()
  const domain = TYPED_DOMAIN.test(typedDomain) ? domainToASCII(typedDomain) : ''
  const address = `${local}@${domain}`
  const isTooLong = local.length > MAX_LOCAL_LENGTH || address.length > MAX_ADDRESS_LENGTH
  if (!LOCAL.test(local) || !isDomain(domain) || isTooLong) throw refuseField('email', 'email_format')
  return { address, key: address.toLowerCase(), canonical: canonicalOf(local.toLowerCase(), domain) }
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '')
}

function canonicalOf(local: string, domain: string): string {
  // Pluses at the beginning are no tag: without what follows them, no name would be left.
  const untagged = local.replace(/(?<=[^+])\+.*$/, '')
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${untagged}@${domain}`
  return `${untagged.replaceAll('.', '')}@gmail.com`
}

const RESERVED = (
  'admin administrator root system support help moderator mod official team staff security postmaster ' +
  'webmaster abuse noreply no-reply null undefined anonymous deleted dropwright api dashboard'
).split(' ')

/**
 * Reduces a username to its appearance: usernames with the same key look alike and count as one. Ignores case
 * and punctuation, and unifies characters that are easily confused: l, 1 and I; O and 0; rn and m; vv and w.
 * Migration 0014 calls it skeletonOf.
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
    .filter((word) => word.length > 1)
  const official = new RegExp(`^(${words.join('|')})+$`)
  // Digits may stand for letters (`adm1n`) or be added (`admin1`).
  const readings = [lookalikeKey(username), lookalikeKey(username.replaceAll(/[0-9]/g, ''))]
  if (readings.some((reading) => official.test(reading))) throw refuseField('username', 'username_reserved')
}

type Owner = { username: string; email: EmailAddress; campaign: CampaignFile; isAdmin?: boolean }

/**
 * Refuses a password that is common, or made of what strangers know: the username, the email and names of the
 * campaign. Also refuses an administrator's if it has fewer than 15 code points; the contract checks the
 * lengths that hold for everyone.
 * @throws refusal `invalid_input` naming `field`.
 */
export async function checkPassword(password: string, owner: Owner, field = 'password'): Promise<void> {
  if (owner.isAdmin && [...password].length < PASSWORD_LENGTH.adminMin)
    throw refuseField(field, 'password_short_admin')
  const lower = password.toLowerCase()
  const { name, token } = owner.campaign
  const guessable = [owner.username, owner.email.key.split('@')[0] ?? '', name, token.name, token.symbol]
  commonPasswords ??= await loadCommonPasswords()
  if (commonPasswords.has(lower) || isMadeOf(lower, guessable)) throw refuseField(field, 'password_common')
}

/**
 * In lower case. Loaded with the first password, so that an idle node does not hold the list in memory. A
 * promise in its place would stay rejected once an import has failed, as during a build it may.
 */
let commonPasswords: ReadonlySet<string> | undefined

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_LENGTH.min))
}

/** Whether a password has at least one of the words, and otherwise only digits and punctuation. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const longestFirst = words
    .map((word) => word.toLowerCase().replaceAll(' ', ''))
    .filter((word) => word.length >= 2)
    .toSorted((a, b) => b.length - a.length)
  const spaceless = password.replaceAll(' ', '')
  const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ''), spaceless)
  return rest.length < spaceless.length && !/\p{L}/u.test(rest)
}
