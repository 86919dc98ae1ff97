import { serverOf } from './config/config.ts'
import { sqlState } from './platform/database/database.ts'
import { NotWritable } from './platform/file-problems.ts'
import { Misconfigured } from './platform/misconfigured.ts'

/** The variable that configures the database, and its value; undefined for the embedded database. */
type Source = { variable: string; url: string } | undefined

/**
 * Describes in one line, without the password, why the database cannot be used at start and what to do.
 * @returns Misconfigured when a restart cannot help; Error when it may, because PostgreSQL may start later.
 * Returns NotWritable as it is: it already says which backup cannot be written.
 */
export function explainDatabaseError(error: unknown, source: Source): Error {
  const explain = (reason: string, ErrorClass: typeof Error | typeof Misconfigured = Error) => {
    const database = source ? `of ${source.variable}` : 'in DATA_DIR'
    return new ErrorClass(`The database ${database} cannot be used: ${reason}`, { cause: error })
  }
  if (error instanceof NotWritable) return error
  if (error instanceof Misconfigured) return explain(error.message, Misconfigured)
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = (message || code || String(error)).replace(/\s*\n\s*/g, ' ')
  if (!source) return explain(reason)
  const { variable, url } = source
  const advice = ADVICE[sqlState(error) ?? '']?.(variable)
  if (advice) return explain(`${reason}. ${advice}`, Misconfigured)
  if (UNKNOWN_HOST.has(code))
    return explain(`there is no host ${new URL(url).hostname} (${code}). Correct ${variable}.`)
  const isUnreachable = UNREACHABLE.has(code) || /timeout/.test(reason)
  if (!isUnreachable) return explain(reason)
  const problem = `nothing answers at ${serverOf(url)} (${code || 'timeout'})`
  return explain(`${problem}. Start PostgreSQL there, or correct ${variable}.`)
}

const wrongLogin = (variable: string) => `Correct the user and the password in ${variable}.`
const ADVICE: Record<string, (variable: string) => string> = {
  // 28P01: wrong password; 28000: wrong user; 3D000: no such database; 42501: no right to create tables.
  '28P01': wrongLogin,
  '28000': wrongLogin,
  '3D000': (variable) => `Create it, or correct ${variable}.`,
  '42501': () => 'Set DATABASE_OWNER_URL to a role that can create tables there.',
}

const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN'])
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // Of a Unix socket, like EACCES.
  'EACCES',
  'ETIMEDOUT',
])
