import { type RawBuilder, sql } from 'kysely'
import type { ReviewFilter } from '#contract/dashboard/review.ts'
import { refuseField } from '#server/platform/refusal.ts'

/** `micros`: microseconds since 1970, the resolution of the database's times. */
type KeyPart = 'risk' | 'micros' | 'id'

/** An order of claims `c` for cursor pagination. */
export type Order = {
  /** Written into cursors, so that a cursor of another order is refused. */
  name: string
  by: RawBuilder<unknown> // the columns of `order by`
  keyParts: readonly KeyPart[]
  /** Expression for the key of a row: an array of texts, one for each of the `keyParts`. */
  keyOf: RawBuilder<unknown>
  /** Condition for the rows after a key. */
  after: (key: readonly string[]) => RawBuilder<boolean>
}

const asMicros = (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column}) * 1000000)::bigint::text`
const asTime = (micros: string | undefined) =>
  sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`

/** Uses the index `claims_waiting` for waiting claims. */
const OLDEST: Order = {
  name: 'oldest',
  by: sql`c.submitted_at, c.id`,
  keyParts: ['micros', 'id'],
  keyOf: sql`array[${asMicros(sql`c.submitted_at`)}, c.id::text]`,
  after: ([at, id]) => sql`(c.submitted_at, c.id) > (${asTime(at)}, ${id}::uuid)`,
}

/** `risk_order`: the negative risk. Uses the index `claims_waiting_by_risk` or `claims_decided_by_risk`. */
const RISKIEST: Order = {
  name: 'riskiest',
  by: sql`c.risk_order, c.submitted_at, c.id`,
  keyParts: ['risk', 'micros', 'id'],
  keyOf: sql`array[c.risk_order::text, ${asMicros(sql`c.submitted_at`)}, c.id::text]`,
  after: ([risk, at, id]) =>
    sql`(c.risk_order, c.submitted_at, c.id) > (${risk}::integer, ${asTime(at)}, ${id}::uuid)`,
}

/** Uses the index `claims_decided`. */
const LATEST: Order = {
  name: 'latest',
  by: sql`c.decided_at desc, c.id desc`,
  keyParts: ['micros', 'id'],
  keyOf: sql`array[${asMicros(sql`c.decided_at`)}, c.id::text]`,
  after: ([at, id]) => sql`(c.decided_at, c.id) < (${asTime(at)}, ${id}::uuid)`,
}

/** By age, decided claims come latest first, and all others oldest first. */
export function orderOf({ filter, sort }: { filter: ReviewFilter; sort: 'age' | 'risk' }): Order {
  if (sort === 'risk') return RISKIEST
  return filter === 'decided' ? LATEST : OLDEST
}

/** @param key the key of the page's last row. */
export function writeCursor({ name }: Order, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([name, ...key])).toString('base64url')
}

/** PostgreSQL can cast every match to the SQL type of the key part. */
const FORMATS: Record<KeyPart, RegExp> = {
  risk: /^-?[0-9]{1,7}$/,
  micros: /^[0-9]{1,16}$/,
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
}

/** @throws refusal of the field `cursor` if it is malformed or belongs to another order. */
export function readCursor({ name, keyParts }: Order, cursor: string): string[] {
  const [orderName, ...parts] = parse(Buffer.from(cursor, 'base64url').toString())
  if (
    orderName !== name ||
    parts.length !== keyParts.length ||
    !keyParts.every((kind, index) => FORMATS[kind].test(parts[index] ?? ''))
  )
    throw refuseField('cursor', 'id_format')
  return parts
}

function parse(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : []
  } catch {
    return []
  }
}
