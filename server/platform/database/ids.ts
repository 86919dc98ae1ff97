import { randomFillSync } from 'node:crypto'

export const MIN_ID = '00000000-0000-0000-0000-000000000000'
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Creates a UUIDv7 (RFC 9562): 48 bits of milliseconds, a 12-bit counter, 62 random bits. Ids of one process
 * sort in the order of their creation, ids of several processes by time.
 * @param ms since 1970, for the id of another time. Random bits then replace the counter.
 */
export function newId(ms?: number): string {
  const random = randomDigits()
  if (ms === undefined) tick()
  const time = ms === undefined ? lastTime : timeDigits(ms)
  const counter = ms === undefined ? sequence.toString(16).padStart(3, '0') : random.slice(0, 3)
  return `${time}-7${counter}-${random.slice(3, 7)}-${random.slice(7)}`
}

let lastMs = 0
let lastTime = ''
let sequence = 0

/** Time and counter grow even if the clock is set back. A full counter starts again a millisecond later. */
function tick(): void {
  const now = Date.now()
  sequence = now > lastMs ? 0 : (sequence + 1) & 0x0fff
  if (sequence > 0) return
  lastMs = Math.max(now, lastMs + 1)
  lastTime = timeDigits(lastMs)
}

function timeDigits(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const ID_BYTES = 10
const pool = Buffer.alloc(ID_BYTES * 256)
let poolDigits = ''
let used = 0

/**
 * 19 hexadecimal digits; the fourth begins with the UUID's variant bits. The random bytes come from a pool,
 * because a call of the generator costs more than the rest of an id.
 */
function randomDigits(): string {
  if (used === poolDigits.length) {
    randomFillSync(pool)
    for (let id = 0; id < pool.length; id += ID_BYTES) pool[id + 2] = ((pool[id + 2] as number) & 0x3f) | 0x80
    poolDigits = pool.toString('hex')
    used = 0
  }
  used += 2 * ID_BYTES
  return poolDigits.slice(used - 2 * ID_BYTES + 1, used)
}
