import { refuseField } from '../platform/refusal.ts'
import type { KeyPart, Order } from './order.ts'

/** Where a page ended: the name of its order and the key of its last row. */
export function writeCursor({ name }: Order, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([name, ...key])).toString('base64url')
}

/** What each part of a key may look like: whatever passes is a value of its type to the database. */
const PARTS: Record<KeyPart, RegExp> = {
  risk: /^-?[0-9]{1,7}$/,
  micros: /^[0-9]{1,16}$/,
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
}

/** @throws refusal of the field `cursor` for anything that was not written for this order. */
export function readCursor({ name, key }: Order, cursor: string): string[] {
  const [given, ...parts] = parse(Buffer.from(cursor, 'base64url').toString())
  if (
    given !== name ||
    parts.length !== key.length ||
    !key.every((kind, at) => PARTS[kind].test(parts[at] ?? ''))
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
