import { type DestinationStream, type Logger, pino, type LoggerOptions } from 'pino'
import { requestRecord } from '../http/access-record.ts'

/** Error properties that never contain values of a request or a row. */
const SAFE_PROPERTIES = [
  'code',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'responseCode',
] as const

/** A local part has at most 64 characters. Without this limit, a long text would take quadratic time. */
const EMAIL = /[^\s<>@"'(),:;]{1,64}@[^\s<>@"'(),:;]+/g
/** SQLSTATEs of class 22, whose messages quote the offending value. */
const QUOTES_VALUES = /^22/
const MAX_DEPTH = 4

type SerializedError = {
  type: string
  message: string
  stack: string
  cause?: SerializedError
  errors?: SerializedError[]
}

/** Omits properties that may quote a row: `detail`, `where`, `hint`, a query, a mail server's reply. */
function describeError(error: unknown, depth = 0): SerializedError | string {
  if (!(error instanceof Error)) return withoutEmails(String(error))
  const { cause, code, errors } = error as { cause?: unknown; code?: unknown; errors?: unknown }
  const isFromPostgres = 'severity' in error
  const quotesValue = isFromPostgres && QUOTES_VALUES.test(String(code))
  const message = quotesValue ? '…' : withoutEmails(error.message)
  const describeInner = (inner: unknown) => describeError(inner, depth + 1) as SerializedError
  return {
    type: error.constructor.name,
    message,
    stack: [`${error.name}: ${message}`, ...framesOf(error)].join('\n'),
    ...Object.fromEntries(
      SAFE_PROPERTIES.flatMap((name) => (name in error ? [[name, error[name as keyof Error]]] : [])),
    ),
    ...(cause instanceof Error && depth < MAX_DEPTH ? { cause: describeInner(cause) } : {}),
    ...(Array.isArray(errors) && depth < MAX_DEPTH ? { errors: errors.map(describeInner) } : {}),
  }
}

export const withoutEmails = (text: string) => text.replace(EMAIL, '…')

/** Skips the message at the start of the stack, which may span lines. */
const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^ {4}at /.test(line))

const OPTIONS: LoggerOptions = {
  serializers: { err: describeError, error: describeError, req: requestRecord },
  redact: ['*.password', '*.token', '*.otp'],
}

/** The JSON-lines log of a process, free of personal data. */
export function createLog(level: string, destination = standardOutput()): Logger {
  return pino({ ...OPTIONS, level }, destination)
}

let output: DestinationStream | undefined
const standardOutput = () => (output ??= inBatches(pino.destination({ dest: 1, sync: true })))

/** Writes of up to this many bytes are atomic, even to a pipe that several workers share. */
const PIPE_BUF = 4_096
/** The longest that a line waits for others. */
const BATCH_MS = 20

/**
 * Writes lines together. A system call for each line, or for each turn of the event loop, would cost more
 * than a request that is answered from memory. The last lines are written when the process exits. An
 * unhandled signal, such as SIGKILL, loses the lines of the last 20 ms.
 */
export function inBatches(destination: DestinationStream): DestinationStream {
  let batch = ''
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (batch !== '') destination.write(batch)
    batch = ''
    bytes = 0
  }
  process.on('exit', flush)
  return {
    write(line) {
      const length = Buffer.byteLength(line)
      if (bytes + length > PIPE_BUF) flush()
      timer ??= setTimeout(flush, BATCH_MS)
      batch += line
      bytes += length
    },
  }
}

/** What differs between the lines of a template. The strings must not contain what JSON escapes. */
export type LineValues = { reqId: string; ms: number; network: string }

const PLACEHOLDERS: LineValues = { reqId: '<reqId>', ms: 1_234_567_891, network: '<network>' }
/** The time of a line and its placeholders. */
const VALUES = /(?<="time":)\d+|<reqId>|1234567891|<network>/

/**
 * Prepares lines of level info that differ only in their time and values. Pino renders one with placeholders,
 * which each line then replaces. Pino would write the same lines, but take several times as long.
 */
export function createLineTemplate(log: Logger, record: object, message: string) {
  const parts = sampleOf(log, record, message).split(VALUES)
  const [beforeTime, beforeId, beforeMs, beforeNetwork, rest] = parts
  // Without these parts, the log level suppresses the line, or pino renders it differently.
  if (parts.length !== 5) return (values: LineValues) => log.info({ ...record, ...values }, message)
  const { write } = destinationOf(log)
  return ({ reqId, ms, network }: LineValues) =>
    write(`${beforeTime}${Date.now()}${beforeId}${reqId}${beforeMs}${ms}${beforeNetwork}${network}${rest}`)
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
