import { randomBytes } from 'node:crypto'
import type { Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { commitmentOf } from './chain.ts'

/** Ids, lower-case words, digests, moments and numbers. The database refuses any other text. */
type Impersonal = Record<string, unknown>

/** Who did what to whom. Append-only: the database refuses to change or delete a row. */
export type JournalRecord = {
  /** Who did it: an administrator, or a participant to their own account; null for the operator and the program. */
  actor: string | null
  /** A noun and a verb in the past tense, as `claim.approved`. */
  action: string
  /** The id of what it was done to; absent where it has none. */
  subject?: string
  before?: Impersonal
  after?: Impersonal
  /** Where from. Kept with the details. */
  network?: string | undefined
  /** Names, texts, reasons: whatever is personal. Kept beside the chain, and erasable. */
  details?: Record<string, unknown>
}

/** Records acts in the transaction that does them. They are numbered and sealed within seconds (seal.ts). */
export async function record(tx: Tx, ...acts: readonly JournalRecord[]): Promise<void> {
  if (acts.length === 0) return
  const entries = acts.map((act) => ({ act, id: newId(), details: detailsOf(act) }))
  await tx
    .insertInto('journal')
    .values(entries.map(({ act, id, details }) => ({ ...rowOf(act), id, commitment: commit(details) })))
    .execute()
  const detailed = entries.flatMap(({ id: entry, details }) =>
    details ? [{ entry, ...asRow(details) }] : [],
  )
  if (detailed.length > 0) await tx.insertInto('journal_details').values(detailed).execute()
}

type Details = { salt: Buffer; content: string }

function detailsOf({ network, details }: JournalRecord): Details | undefined {
  const content = { ...(network === undefined ? {} : { network }), ...details }
  if (Object.keys(content).length === 0) return undefined
  return { salt: randomBytes(32), content: JSON.stringify(content) }
}

function commit(details: Details | undefined): Buffer | null {
  if (!details) return null
  const { salt, content } = details
  return Buffer.from(commitmentOf({ salt: salt.toString('hex'), content: JSON.parse(content) }), 'hex')
}

const asRow = ({ salt, content }: Details) => ({ salt, content })

function rowOf({ actor, action, subject, before, after }: JournalRecord) {
  return {
    actor,
    action,
    subject: subject ?? null,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  }
}
