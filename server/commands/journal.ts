import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { readCommandConfig } from '../config/config.ts'
import { count } from '../platform/count.ts'
import { explainReading, explainWriting } from '../platform/file-problems.ts'
import { writeWholeFile } from '../platform/whole-file.ts'
import { type Head, verifyJournal } from '../domain/journal/verify.ts'
import { runInterruptibly, OPERATOR, runCommand, withDatabase, WrongArguments } from './command.ts'

const USAGE = `Usage: npm run journal -- verify FILE [--head HASH@NUMBER]
       npm run journal -- export FILE [--without-details]
       npm run journal -- erase EMAIL|USERNAME|ID`

await runCommand(USAGE, main)

async function main(): Promise<void> {
  const options = { head: { type: 'string' }, 'without-details': { type: 'boolean' } } as const
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const { head, 'without-details': omitsDetails = false } = values
  const [subcommand, target, ...rest] = positionals
  if (!target || rest.length > 0) throw new WrongArguments()
  if (subcommand === 'verify' && !omitsDetails) return verify(target, head)
  if (subcommand === 'export' && head === undefined) return exportTo(target, !omitsDetails)
  if (subcommand === 'erase' && head === undefined && !omitsDetails) return erase(target)
  throw new WrongArguments()
}

/** Needs only the file. @param published a head of the journal, which is the hash and number of an entry. */
async function verify(file: string, published: string | undefined): Promise<void> {
  const head = published === undefined ? undefined : readHead(published)
  const verdict = await explainReading(file, () => verifyJournal(linesOf(file), head))
  if (!verdict.ok) throw new Error(`${file}, line ${verdict.line}: ${verdict.why}.`)
  const { number, hash } = verdict.head
  console.log(`ok: ${count(number, 'entry', 'entries')}, head ${hash}@${number}`)
  if (head) console.log(`It contains the published head of entry ${head.number}.`)
  if (verdict.withoutDetails > 0)
    console.log(
      `${count(verdict.withoutDetails, 'entry has', 'entries have')} no details: they were erased or left out.`,
    )
}

function readHead(text: string): Head {
  const [, hash = '', number] = /^([0-9a-f]{64})@([1-9][0-9]{0,14})$/.exec(text) ?? []
  if (number === undefined) throw new WrongArguments()
  return { hash, number: Number(number) }
}

/** Splits at line feeds alone, unlike readline, because an entry may contain U+2028 and U+2029. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function exportTo(file: string, withDetails: boolean): Promise<void> {
  const { exportJournal } = await import('../domain/journal/export-journal.ts')
  return withDatabase(readCommandConfig(process.env), async (db) => {
    await runInterruptibly('Interrupted: no journal was written.', (signal) =>
      // exportJournal, which records the export, is called only once the file has been created.
      explainWriting(file, () =>
        writeWholeFile(file, async (target) => {
          const lines = await exportJournal(db, { ...OPERATOR, withDetails })
          const text = Readable.from(lines).map((line: unknown) => `${JSON.stringify(line)}\n`)
          await pipeline(text, target, { signal })
        }),
      ),
    )
    console.log(`Wrote the journal to ${file}. Verify it with npm run journal -- verify ${file}`)
  })
}

async function erase(who: string): Promise<void> {
  const [{ eraseDetails }, { findAccount }] = await Promise.all([
    import('../domain/journal/erase-details.ts'),
    import('../domain/people/find-account.ts'),
  ])
  return withDatabase(readCommandConfig(process.env), async (db) => {
    const account = await findAccount(db, who)
    if ('problem' in account) throw new Error(account.problem)
    const erased = await eraseDetails(db, account.id)
    console.log(`Erased the personal details of ${count(erased, 'entry', 'entries')}.`)
  })
}
