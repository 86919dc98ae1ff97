import { type DestinationStream, type Logger, pino, type LoggerOptions } from 'pino'
import { requestRecord } from './http/access-record.ts'

/** Parts of an error that its maker chose: none of them holds a value of a request or of a row. */
const SAFE = [
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

const EMAIL = /[^\s<>@"'(),:;]+@[^\s<>@"'(),:;]+/g
/** Data exceptions of PostgreSQL quote the value that would not do. */
const QUOTES_VALUES = /^22/
const DEEPEST = 4

type Described = { type: string; message: string; stack: string; cause?: Described; errors?: Described[] }

/**
 * An error as the log shows it: its kind, its words without e-mails, where it happened. What hangs on it besides
 * (`detail`, `where`, `hint` and the query of a database error, the reply of a mail server) stays out: it may
 * quote a row.
 */
export function describeError(error: unknown, depth = 0): Described | string {
  if (!(error instanceof Error)) return withoutEmails(String(error))
  const { code } = error as { code?: unknown }
  const message = QUOTES_VALUES.test(String(code)) && 'severity' in error ? '…' : withoutEmails(error.message)
  const { cause, errors } = error as { cause?: unknown; errors?: unknown }
  const within = (inner: unknown) => describeError(inner, depth + 1) as Described
  return {
    type: error.constructor.name,
    message,
    stack: [`${error.name}: ${message}`, ...framesOf(error)].join('\n'),
    ...Object.fromEntries(
      SAFE.flatMap((name) => (name in error ? [[name, error[name as keyof Error]]] : [])),
    ),
    ...(cause instanceof Error && depth < DEEPEST ? { cause: within(cause) } : {}),
    ...(Array.isArray(errors) && depth < DEEPEST ? { errors: errors.map(within) } : {}),
  }
}

export const withoutEmails = (text: string) => text.replace(EMAIL, '…')

/** The stack begins with the message, which may go on for lines. */
const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^ {4}at /.test(line))

const OPTIONS: LoggerOptions = {
  serializers: { err: describeError, error: describeError, req: requestRecord },
  redact: ['*.password', '*.token', '*.otp'],
}

/** The log of a process: one line of JSON for each thing that happened, and nothing personal in it. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return destination ? pino({ ...OPTIONS, level }, destination) : pino({ ...OPTIONS, level })
}
