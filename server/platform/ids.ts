import { randomFillSync } from 'node:crypto'

/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, then 74 random bits, so that ids sort by time of making.
 * @param now milliseconds since 1970; the database's clock stays the one that decides anything.
 */
export function newId(now: number = Date.now()): string {
  const bytes = randomFillSync(Buffer.alloc(16))
  bytes.writeUIntBE(now, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
