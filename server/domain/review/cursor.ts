import { refuseField } from '#server/platform/refusal.ts'
import type { KeyPart, Order } from './order.ts'

/** Opaque cursor: the name of the order and the key of the page's last row. */
export function writeCursor({ name }: Order, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([name, ...key])).toString('base64url')
}

/** Format of each key part; everything that matches casts to its SQL type. */
const PARTS: Record<KeyPart, RegExp> = {
  risk: /^-?[0-9]{1,7}$/,
  micros: /^[0-9]{1,16}$/,
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
}

/** The key in a cursor. @throws refusal of the field `cursor` for one that is malformed or of another order. */
export function readCursor({ name, key }: Order, cursor: string): string[] {
  const [orderName, ...parts] = parse(Buffer.from(cursor, 'base64url').toString())
  if (
    orderName !== name ||
    parts.length !== key.length ||
    !key.every((kind, index) => PARTS[kind].test(parts[index] ?? ''))
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
