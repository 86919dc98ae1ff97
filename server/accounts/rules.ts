import { domainToASCII } from 'node:url'
import { dictionary } from '@zxcvbn-ts/language-common'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PASSWORD_LENGTH } from '#contract/fields.ts'
import { refuseField } from '../platform/refusal.ts'

/** One e-mail in its three forms. */
export type EmailAddress = {
  /** Where mail goes: as typed, the domain in ASCII. */
  address: string
  /** The identity: the same without regard to case. */
  key: string
  /** Anti-abuse key: without plus tag and without the dots that Gmail ignores. Never for mail or login. */
  twin: string
}

const LOCAL = /^[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$&'*+/=?^_`{|}~-]+)*$/
/** Before it becomes ASCII: the conversion would read a whole URL, and cut it at a slash or a line break. */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.。-]+$/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Reads one plain addr-spec. Normalised (NFKC) before it is judged, so that nothing that looks like an
 * address turns into another one afterwards.
 * @throws refusal `invalid_input` naming `email`.
 */
export function readEmail(typed: string): EmailAddress {
  const text = typed.normalize('NFKC').trim()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const typedDomain = text.slice(at + 1).toLowerCase()
  const domain = TYPED_DOMAIN.test(typedDomain) ? domainToASCII(typedDomain) : ''
  const address = `${local}@${domain}`
  if (!LOCAL.test(local) || local.length > 64 || !isDomain(domain) || address.length > 254) {
    throw refuseField('email', 'email_format')
  }
  return { address, key: address.toLowerCase(), twin: twinOf(local.toLowerCase(), domain) }
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? '')
}

function twinOf(local: string, domain: string): string {
  const untagged = local.replace(/\+.*$/, '')
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${untagged}@${domain}`
  return `${untagged.replaceAll('.', '')}@gmail.com`
}

const RESERVED =
  'admin administrator root system support help moderator mod official team staff security postmaster webmaster abuse noreply no-reply null undefined anonymous dropwright api dashboard'.split(
    ' ',
  )

/**
 * What a name looks like: two names with the same skeleton are one. Case, dots, dashes and underscores do not
 * count; what is easily mistaken is the same: l, 1 and I; O and 0; rn and m; vv and w.
 */
export function skeletonOf(username: string): string {
  return username
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('0', 'o')
}

/** @throws refusal for names that could pass for the team's or the campaign's: nothing but such words and digits. */
export function checkUsername(username: string, { name, token }: CampaignFile): void {
  const words = [...RESERVED, name, token.name, token.symbol]
    .map(skeletonOf)
    .filter((word) => word.length > 1)
  const isOfficial = new RegExp(`^(${words.join('|')})+$`)
  const readings = [skeletonOf(username), skeletonOf(username.replaceAll(/[0-9]/g, ''))]
  if (readings.some((reading) => isOfficial.test(reading))) throw refuseField('username', 'username_reserved')
}

const COMMON = new Set(dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_LENGTH.min))

type Known = { username: string; email: EmailAddress; campaign: CampaignFile; admin?: boolean }

/**
 * Judges a password to be set: not a common one, and not made of what everybody knows of the account.
 * Its length is the contract's business, but for administrators, who need 15 code points.
 * @param field the field to name in the refusal.
 */
export function checkPassword(password: string, known: Known, field = 'password'): void {
  if (known.admin && [...password].length < PASSWORD_LENGTH.adminMin)
    throw refuseField(field, 'password_short_admin')
  const lower = password.toLowerCase()
  const { name, token } = known.campaign
  const guessable = [known.username, known.email.key.split('@')[0] ?? '', name, token.name, token.symbol]
  if (COMMON.has(lower) || isMadeOf(lower, guessable)) throw refuseField(field, 'password_common')
}

/** Whether nothing but digits and punctuation is left once the words are taken out. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const used = words
    .map((word) => word.toLowerCase().replaceAll(' ', ''))
    .filter((word) => word.length >= 2)
    .toSorted((a, b) => b.length - a.length)
  const spaceless = password.replaceAll(' ', '')
  const rest = used.reduce((left, word) => left.replaceAll(word, ''), spaceless)
  return rest.length < spaceless.length && !/\p{L}/u.test(rest)
}
