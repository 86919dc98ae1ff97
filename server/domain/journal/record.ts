import { randomBytes } from 'node:crypto'
import type { JOURNAL_ACTIONS } from '#messages/dashboard-journal.js'
import type { Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import type { SecurityEvents } from '#server/platform/log/security-events.ts'
import { commitmentOf } from './chain.ts'
import type { RecordedEntry } from './seal.ts'

/** A noun and a past participle, as in `claim.approved`. The dashboard has words for each. */
export type JournalAction = keyof typeof JOURNAL_ACTIONS

/** Ids, lower-case words, digests, timestamps and numbers. The database rejects any other text. */
type Impersonal = Record<string, unknown>

/** An entry of the journal, the audit log. Append-only: the database rejects updates and deletes. */
export type JournalRecord = {
  /** An administrator, or a participant acting on their own account; null for commands and automation. */
  actor: string | null
  action: JournalAction
  /** The id of what was acted on, if it has one. */
  subject?: string
  before?: Impersonal
  after?: Impersonal
  /** The actor's network; stored with the details. */
  network?: string | undefined
  /** Personal data such as names, texts and reasons; stored outside the chain, erasable. */
  details?: Record<string, unknown>
}

export type Attribution = Pick<JournalRecord, 'actor' | 'network'>

/** Records actions in the transaction that carries them out; `seal.ts` seals the entries within seconds. */
export async function record(tx: Tx, ...records: readonly JournalRecord[]): Promise<void> {
  if (records.length === 0) return
  const entries = records.map((fields) => ({ fields, id: newId(), details: detailsOf(fields) }))
  const rows = entries.map(({ fields, id, details }) => ({
    ...rowOf(fields),
    id,
    commitment: details ? commitmentBytes(details) : null,
  }))
  await tx.insertInto('journal').values(rows).execute()
  const detailsRows = entries.flatMap(({ id: entry, details }) => (details ? [{ entry, ...details }] : []))
  if (detailsRows.length > 0) await tx.insertInto('journal_details').values(detailsRows).execute()
}

type DetailsColumns = { salt: Buffer; content: string }

function detailsOf({ network, details }: JournalRecord): DetailsColumns | undefined {
  const content = { ...(network === undefined ? {} : { network }), ...details }
  if (Object.keys(content).length === 0) return undefined
  return { salt: randomBytes(32), content: JSON.stringify(content) }
}

/** Parses the JSON so that the hash covers what is stored: no `undefined`, and dates as strings. */
function commitmentBytes({ salt, content }: DetailsColumns): Buffer {
  return Buffer.from(commitmentOf({ salt: salt.toString('hex'), content: JSON.parse(content) }), 'hex')
}

function rowOf({ actor, action, subject, before, after }: JournalRecord) {
  return {
    actor,
    action,
    subject: subject ?? null,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  }
}

/** Logs the role changes of journal entries, even those that commands made, as security events. */
export function logRoleChanges(security: SecurityEvents, entries: readonly RecordedEntry[]) {
  for (const { action, actor, subject, after } of entries) {
    if (action !== 'role.changed') continue
    const role = String((after as { role?: unknown } | null)?.role)
    security.record({ event: 'role', outcome: 'changed', account: subject ?? undefined, by: actor, role })
  }
}
