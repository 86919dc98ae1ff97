import type { Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'

/** Who did what to whom. Append-only: the database refuses to change or delete a row. */
export type Act = {
  /** The administrator; null for the operator at the machine. */
  actor: string | null
  /** A noun and a verb in the past tense, as `claim.approved`. */
  action: string
  subject: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  network?: string
}

/** Records an act in the transaction that does it. */
export async function record(tx: Tx, { actor, action, subject, before, after, network }: Act): Promise<void> {
  await tx
    .insertInto('journal')
    .values({
      id: newId(),
      actor,
      action,
      subject,
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      network: network ?? null,
    })
    .execute()
}
