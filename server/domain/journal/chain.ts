import { createHash } from 'node:crypto'

/** The fields that an entry's hash covers. `previous` is the hash of the entry before, in hexadecimal. */
export type Sealed = {
  number: number
  previous: string
  id: string
  /** UTC to the microsecond. */
  at: string
  actor: string | null
  action: string
  subject: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  /** The hash of the details ({@link commitmentOf}); null if there never were any. */
  commitment: string | null
}

/** Personal data of an entry. Without the salt, erased data could be guessed from its hash. */
export type Details = { salt: string; content: unknown }

/** A line of an exported journal. `details` is absent if erased, withheld or never recorded. */
export type Line = Sealed & { hash: string; details?: Details }

/** The previous hash of the first entry. */
export const GENESIS = '0'.repeat(64)

export function hashOf(sealed: Sealed): string {
  const { number, previous, id, at, actor, action, subject, before, after, commitment } = sealed
  return digest({ number, previous, id, at, actor, action, subject, before, after, commitment })
}

/** An entry contains only this hash of its details, so erasing the details does not change the entry. */
export const commitmentOf = ({ salt, content }: Details): string => digest({ salt, content })

/** SHA-256 of a value's canonical JSON, in hexadecimal. */
export const digest = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex')

/** JSON without white space, keys sorted by UTF-16 code units (as in RFC 8785). */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
    .join(',')}}`
}
