import { randomFillSync } from 'node:crypto'

/** Less than every id. */
export const MIN_ID = '00000000-0000-0000-0000-000000000000'
/** Greater than every id. */
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

let lastMs = 0
let sequence = 0

/**
 * Creates a UUIDv7 (RFC 9562): 48 bits of milliseconds, a 12-bit counter, 62 random bits. Ids of one process sort in
 * order of creation, those of several by time.
 * @param at milliseconds since 1970, for an id of another time; the 12 bits are then random too.
 */
export function newId(at?: number): string {
  const bytes = randomBytes()
  if (at === undefined) tick()
  bytes.writeUIntBE(at ?? lastMs, 0, 6)
  bytes.writeUInt16BE(((at === undefined ? sequence : bytes.readUInt16BE(6)) & 0x0fff) | 0x7000, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const SIZE = 16
const pool = Buffer.alloc(SIZE * 256)
let used = pool.length

/** From a pool, because a call of the generator costs more than the rest of an id. */
function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += SIZE
  return pool.subarray(used - SIZE, used)
}

/** Monotonic even if the clock steps back; when the counter overflows, it borrows from the next millisecond. */
function tick(): void {
  const now = Date.now()
  sequence = now > lastMs ? 0 : (sequence + 1) & 0x0fff
  if (now > lastMs) lastMs = now
  else if (sequence === 0) lastMs += 1
}
