import { refuseField } from '../platform/refusal.ts'

/** Where a page ended: the name of its order and the key of its last row. */
export function writeCursor(order: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([order, ...key])).toString('base64url')
}

const PART = /^-?[0-9]{1,10}$|^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{8,15}[+-][0-9:]{2,8}$|^[0-9a-f-]{36}$/

/** @throws refusal of the field `cursor` for anything that was not written for this order. */
export function readCursor(order: string, cursor: string): string[] {
  const parts = parse(Buffer.from(cursor, 'base64url').toString())
  const [name, ...key] = parts
  const length = order === 'riskiest' ? 3 : 2
  if (name !== order || key.length !== length || !key.every((part) => PART.test(part)))
    throw refuseField('cursor', 'id_format')
  return key
}

function parse(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : []
  } catch {
    return []
  }
}
