import { type RawBuilder, sql } from 'kysely'
import type { Topic } from '#contract/events.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'

/** PostgreSQL notification channel between nodes. A payload is a topic, or `claim` and an id. */
export const CHANNEL = 'dropwright_news'

/** Each node reads the heartbeat from the chain. Changed claims go through {@link announceClaim}. */
export type DatabaseTopic = Exclude<Topic, 'heartbeat' | 'claims'>

/** Notifies every node that a topic changed, once the transaction commits. */
export async function announce(tx: Database | Tx, topic: DatabaseTopic): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(tx)
}

const CLAIM_PREFIX = 'claim '

/** Notifies every node that a claim and topics changed, once the transaction commits. */
export async function announceClaim(
  tx: Database | Tx,
  claimId: string,
  ...topics: DatabaseTopic[]
): Promise<void> {
  await announceClaimSql(claimId, ...topics).execute(tx)
}

/** {@link announceClaim} as part of a larger statement, which must select from it. */
export function announceClaimSql(claimId: string, ...topics: DatabaseTopic[]): RawBuilder<unknown> {
  const payloads: string[] = [CLAIM_PREFIX + claimId, ...topics]
  return sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) payload`
}

/** @returns undefined if the payload is a topic. */
export function claimIdOf(payload: string): string | undefined {
  return payload.startsWith(CLAIM_PREFIX) ? payload.slice(CLAIM_PREFIX.length) : undefined
}
