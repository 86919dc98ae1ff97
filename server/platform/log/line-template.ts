import { type Logger, pino } from 'pino'

/** What differs between the lines of a template: strings without anything that JSON escapes, and an integer. */
export type LineValues = { reqId: string; ms: number; network: string }

const PLACEHOLDERS: LineValues = { reqId: '<reqId>', ms: 1_234_567_891, network: '<network>' }
const VALUES = /(?<="time":)\d+|<reqId>|1234567891|<network>/

/**
 * Prepares lines of level info that differ only in their time and values: pino renders one of them, and the
 * values of the others are inserted into it. The result is the same, for a fraction of the time.
 * @returns a function that writes a line.
 */
export function createLineTemplate(log: Logger, record: object, message: string) {
  const parts = sampleOf(log, record, message).split(VALUES)
  const [beforeTime, beforeId, beforeMs, beforeNetwork, rest] = parts
  // The level leaves the line out, or it has another form.
  if (parts.length !== 5) return (values: LineValues) => log.info({ ...record, ...values }, message)
  const { write } = destinationOf(log)
  return ({ reqId, ms, network }: LineValues) =>
    write(`${beforeTime}${timestamp()}${beforeId}${reqId}${beforeMs}${ms}${beforeNetwork}${network}${rest}`)
}

type Destination = { write: (line: string) => void }

function sampleOf(log: Logger, record: object, message: string): string {
  let sample = ''
  const destination: Destination = { write: (line) => void (sample = line) }
  const captured = Object.create(log, { [pino.symbols.streamSym]: { value: destination } }) as Logger
  captured.info({ ...record, ...PLACEHOLDERS }, message)
  return sample
}

function destinationOf(log: Logger): Destination {
  const stream = (log as unknown as Record<symbol, Destination>)[pino.symbols.streamSym]
  return { write: (line) => stream?.write(line) }
}

let lastMs = 0
let lastText = ''

/** Milliseconds since 1970, as text; many lines have the same. */
function timestamp(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastText = String(now)
  }
  return lastText
}
