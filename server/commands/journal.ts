import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { readCommandConfig } from '../config.ts'
import { count } from '../platform/count.ts'
import type { Database } from '../platform/database/database.ts'
import { writeWholeFile } from '../platform/whole-file.ts'
import { type Head, verifyJournal } from '../domain/journal/verify.ts'
import { fail, misconfigured, runCommand, withDatabase } from './command.ts'

const USAGE = `Usage: npm run journal -- verify FILE [--head HASH@NUMBER]
       npm run journal -- export FILE [--without-details]
       npm run journal -- erase EMAIL|USERNAME|ID`

await runCommand(main)

async function main(): Promise<number> {
  const { verb, target, head, withDetails } = readArguments() ?? {}
  if (verb === 'verify' && target) return verify(target, head)
  if (verb === 'export' && target) return exportTo(target, withDetails ?? true)
  if (verb === 'erase' && target) return erase(target)
  return fail(USAGE)
}

function readArguments() {
  try {
    const options = { head: { type: 'string' }, 'without-details': { type: 'boolean' } } as const
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [verb, target, ...rest] = positionals
    const head = values.head === undefined ? undefined : readHead(values.head)
    if (
      rest.length > 0 ||
      head === null ||
      (verb !== 'verify' && head) ||
      (verb === 'verify' && values['without-details'])
    )
      return undefined
    return { verb, target, head, withDetails: values['without-details'] !== true }
  } catch {
    return undefined
  }
}

/** Parses HASH@NUMBER as /journal shows it; null when malformed. */
function readHead(text: string): Head | null {
  const [, hash = '', number] = /^([0-9a-f]{64})@([1-9][0-9]{0,14})$/.exec(text) ?? []
  return number === undefined ? null : { hash, number: Number(number) }
}

/** Needs only the file: neither database nor configuration. */
async function verify(file: string, head: Head | undefined): Promise<number> {
  const verdict = await verifyJournal(linesOf(file), head)
  if (!verdict.ok) return fail(`${file}, line ${verdict.line}: ${verdict.why}.`)
  const { number, hash } = verdict.head
  console.log(`ok: ${count(number, 'entry', 'entries')}, head ${hash}@${number}`)
  if (head) console.log(`It contains the published head of entry ${head.number}.`)
  if (verdict.withoutDetails > 0)
    console.log(
      `${count(verdict.withoutDetails, 'entry has', 'entries have')} no details: they were erased or left out.`,
    )
  return 0
}

/** Not readline, which also splits at line separators that the text may contain. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function exportTo(file: string, withDetails: boolean): Promise<number> {
  const { exportJournal } = await import('../domain/journal/export-journal.ts')
  return onDatabase(async (db) => {
    const lines = await exportJournal(db, { actor: null, withDetails })
    const text = Readable.from(lines).map((line: unknown) => `${JSON.stringify(line)}\n`)
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
    try {
      await writeWholeFile(file, (target) => pipeline(text, target, { signal: stop.signal }))
    } catch (error) {
      if (stop.signal.aborted) return fail('Interrupted: no journal was written.')
      throw error
    }
    console.log(`Wrote the journal to ${file}. Verify it with npm run journal -- verify ${file}`)
    return 0
  })
}

async function erase(who: string): Promise<number> {
  const [{ eraseDetails }, { findAccount }] = await Promise.all([
    import('../domain/journal/erase-details.ts'),
    import('../domain/people/find-account.ts'),
  ])
  return onDatabase(async (db) => {
    const account = await findAccount(db, who)
    if (typeof account === 'string') return fail(account)
    const erased = await eraseDetails(db, account.id)
    console.log(`Erased the personal details of ${count(erased, 'entry', 'entries')}.`)
    return 0
  })
}

async function onDatabase(use: (db: Database) => Promise<number>): Promise<number> {
  const config = readCommandConfig(process.env)
  return 'problems' in config ? misconfigured(config.problems) : withDatabase(config, use)
}
