import { randomFillSync } from 'node:crypto'

let last = 0
let count = 0

/**
 * A UUIDv7 (RFC 9562): 48 bits of milliseconds, 12 that count within one, then 62 random bits. Ids of one process sort in
 * the order of making, those of several by time; the database's clock stays the one that decides anything.
 * @param at milliseconds since 1970, for an id that belongs to another time: then the 12 bits are random too.
 */
export function newId(at?: number): string {
  const bytes = randomFillSync(Buffer.alloc(16))
  if (at === undefined) tick()
  bytes.writeUIntBE(at ?? last, 0, 6)
  bytes.writeUInt16BE(((at === undefined ? count : bytes.readUInt16BE(6)) & 0x0fff) | 0x7000, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Never back, also when the clock goes back; a millisecond that is full borrows from the next one. */
function tick(): void {
  const now = Date.now()
  count = now > last ? 0 : (count + 1) & 0x0fff
  if (now > last) last = now
  else if (count === 0) last += 1
}
