import type { JournalEntry } from '#contract/journal.ts'
import { JOURNAL_DETAILS } from '#messages/dashboard-journal.js'
import { CARD } from '#messages/dashboard-review.js'
import { ACCOUNT_REASONS, REJECTION_REASONS } from '#messages/reasons.js'
import { formatInteger, shortenAddress } from '#web/ui/text/format.ts'

/** The symbols of the token (`pf`) and of the chain's coin (`pls`), in which points are counted. */
export type Symbols = { pf: string; pls: string }

type Fields = Readonly<Record<string, unknown>>
type Phrase = readonly [field: string, describe: (value: unknown, fields: Fields, symbols: Symbols) => string]

/** What a journal entry says about a person, in phrases. Fields without words are shown as they are. */
export function describeEntry({ before, after, details }: JournalEntry, symbols: Symbols): string[] {
  const fields: Fields = { ...after, ...details }
  const described = PHRASES.flatMap(([field, describe]) =>
    field in fields ? [describe(fields[field], fields, symbols)] : [],
  )
  const describedNames = new Set(PHRASES.map(([field]) => field))
  const others = Object.entries(fields).filter(([name]) => !describedNames.has(name) && !HIDDEN.has(name))
  return [
    describeChange(CARD.status, before?.['status'], after?.['status']),
    describeChange(JOURNAL_DETAILS.role, before?.['role'], after?.['role']),
    ...described,
    ...others.map(([name, value]) => `${name}: ${textOf(value)}`),
  ].filter((phrase) => phrase !== '')
}

/** Fields that are not shown: ids of rows, and fields that are part of other phrases. */
const HIDDEN = new Set(['ledger', 'reverses', 'claim', 'offered_by', 'kind', 'status', 'role'])

function describeChange(words: Partial<Record<string, string>>, before: unknown, after: unknown): string {
  if (after === undefined || after === null) return ''
  if (before === undefined || before === null || before === after) return lookUp(words, after)
  return JOURNAL_DETAILS.status({ before: lookUp(words, before), after: lookUp(words, after) })
}

const lookUp = (words: Partial<Record<string, string>>, key: unknown) => words[textOf(key)] ?? textOf(key)

/** The fields that phrases describe, in display order. `username` is a Telegram username. */
const PHRASES: readonly Phrase[] = [
  ['pfPoints', (amount, _fields, symbols) => pointsOf('pf', amount, symbols)],
  ['plsPoints', (amount, _fields, symbols) => pointsOf('pls', amount, symbols)],
  ['amount', (amount, { kind }, symbols) => pointsOf(kind, amount, symbols)],
  ['reversed', (count) => (Number(count) > 0 ? JOURNAL_DETAILS.reversed({ count: Number(count) }) : '')],
  // The code of a reason that the product offers, or an administrator's own words. `text` includes it.
  ['reason', (reason, { text }) => (text ? '' : (REASONS[textOf(reason)] ?? quote(reason)))],
  ['text', quote],
  ['revokes_approval', (isRevoked) => (isRevoked === true ? JOURNAL_DETAILS.revoked : '')],
  ['entries', (count) => JOURNAL_DETAILS.entries({ count: Number(count) })],
  ['wallet', (wallet, { kind }) => walletOf(textOf(wallet), kind === 'contract')],
  ['username', (name) => (name === null ? '' : JOURNAL_DETAILS.telegram({ name: `@${textOf(name)}` }))],
  ['telegramId', (id) => JOURNAL_DETAILS.telegramId({ id: textOf(id) })],
  ['network', (range) => JOURNAL_DETAILS.network({ range: textOf(range) })],
]

const REASONS: Partial<Record<string, string>> = { ...REJECTION_REASONS, ...ACCOUNT_REASONS }

function pointsOf(kind: unknown, points: unknown, symbols: Symbols): string {
  const amount = formatSigned(Number(points))
  if (kind === 'referral') return JOURNAL_DETAILS.referral({ amount })
  return JOURNAL_DETAILS.points({ amount, symbol: kind === 'pls' ? symbols.pls : symbols.pf })
}

export const formatSigned = (amount: number) => `${amount < 0 ? '−' : '+'}${formatInteger(Math.abs(amount))}`

function quote(text: unknown): string {
  return text ? JOURNAL_DETAILS.text({ text: textOf(text) }) : ''
}

function walletOf(wallet: string, isContract: boolean): string {
  const address = shortenAddress(wallet)
  return isContract ? JOURNAL_DETAILS.contractWallet({ address }) : JOURNAL_DETAILS.wallet({ address })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
