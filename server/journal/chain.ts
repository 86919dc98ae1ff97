import { createHash } from 'node:crypto'

/** What the hash of an entry covers. `previous` is the hash before it; bytes are hexadecimal. */
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
  /** {@link commitmentOf} the details; null for an act that never had any. */
  commitment: string | null
}

/** What is personal about an act, and the salt that keeps its hash from being guessed once it is erased. */
export type Details = { salt: string; content: unknown }

/** A line of an exported journal. `details` is absent where they were erased, withheld, or never there. */
export type Line = Sealed & { hash: string; details?: Details }

/** What the first entry follows. */
export const GENESIS = '0'.repeat(64)

/** SHA-256 over the canonical JSON of the number, the previous hash and the content of an entry. */
export function hashOf(sealed: Sealed): string {
  const { number, previous, id, at, actor, action, subject, before, after, commitment } = sealed
  return digest({ number, previous, id, at, actor, action, subject, before, after, commitment })
}

/** What binds erasable details to the entry that was sealed. */
export const commitmentOf = ({ salt, content }: Details): string => digest({ salt, content })

/** SHA-256 of a value's canonical JSON, in hexadecimal. */
export const digest = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex')

/** JSON without white space, keys in the order of their UTF-16 units (as RFC 8785): one text for one value. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
    .join(',')}}`
}
