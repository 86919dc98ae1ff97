import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BENCHMARKS } from './benchmarks.ts'
import { writePerformancePage } from './performance-page.ts'
import { type BenchmarkRecord, markRows, readRecord } from './record.ts'
import { asTable, type Options } from './report.ts'

const USAGE =
  `Usage: npm run bench -- [${Object.keys(BENCHMARKS).join(' | ')}]…` +
  ' [--quick] [--recipients N] [--write-docs]'
const TIMEOUT_MINUTES = 15

const commandLine = readCommandLine()
if (commandLine) await main(commandLine)
else {
  console.error(USAGE)
  process.exitCode = 1
}

type CommandLine = { names: readonly string[]; options: Options; writeDocs: boolean }

/** @returns undefined if the arguments do not match {@link USAGE}. */
function readCommandLine(): CommandLine | undefined {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        recipients: { type: 'string' },
        'write-docs': { type: 'boolean', default: false },
      },
    })
    if (positionals.some((name) => !Object.hasOwn(BENCHMARKS, name))) return undefined
    const { quick, recipients } = values
    if (recipients !== undefined && !/^[1-9][0-9]{0,7}$/.test(recipients)) return undefined
    const names = Object.keys(BENCHMARKS).filter(
      (name) => positionals.length === 0 || positionals.includes(name),
    )
    const options = { quick, ...(recipients !== undefined && { recipients: Number(recipients) }) }
    return { names, options, writeDocs: values['write-docs'] }
  } catch {
    return undefined
  }
}

/**
 * Runs the benchmarks one after another, prints their tables and all marks, and writes JSON to bench/results.
 * If a benchmark fails, it is named at the end, and the exit code is 1. A missed mark is not a failure. Only
 * figures of the same run can be compared. `--write-docs` also updates docs/performance.md.
 */
async function main({ names, options, writeDocs }: CommandLine): Promise<void> {
  const records: BenchmarkRecord[] = []
  const failed: string[] = []
  for (const [index, name] of names.entries()) {
    console.log(`\n${name} (${index + 1} of ${names.length})`)
    const record = (await runBenchmark(name, options)) ? readRecord(name) : undefined
    if (!record) {
      failed.push(name)
      continue
    }
    records.push(record)
    print(record)
  }
  const marks = markRows(records)
  if (marks.length > 0) console.log(`\nAll marks\n\n${asTable(marks)}`)
  if (writeDocs) await writePerformancePage(records)
  if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`)
  process.exitCode = failed.length > 0 ? 1 : 0
}

/** Runs a benchmark in a process of its own, which writes its record. @returns whether it succeeded. */
async function runBenchmark(name: string, options: Options): Promise<boolean> {
  const child = fork(path.join(import.meta.dirname, 'measure.ts'), [name, JSON.stringify(options)])
  const ended = once(child, 'exit')
  const timer = setTimeout(() => {
    console.error(`${name} takes more than ${TIMEOUT_MINUTES} minutes; stopping it`)
    child.kill()
  }, TIMEOUT_MINUTES * 60_000)
  const [code] = await ended
  clearTimeout(timer)
  return code === 0
}

function print({ reports, seconds }: BenchmarkRecord): void {
  for (const { title, rows, notes } of reports)
    console.log(`\n${title}\n\n${asTable(rows)}\n\n${notes.join('\n')}`)
  console.log(`Took ${Math.round(seconds)} s.`)
}
