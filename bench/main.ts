import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { board } from './board.ts'
import { fairness } from './fairness.ts'
import { pages } from './pages.ts'
import { asTable, type Report } from './report.ts'
import { review } from './review.ts'
import { slots } from './slots.ts'

/** `npm run bench [name]…`: tables on stdout, JSON in bench/results. Only compare ratios within one run. */
const BENCHMARKS: Record<string, () => Promise<Report>> = { board, pages, slots, review, fairness }
const RESULTS = path.resolve(import.meta.dirname, 'results')

const wanted = process.argv.slice(2)
const names = wanted.length > 0 ? wanted : Object.keys(BENCHMARKS)
const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name))
if (unknown !== undefined) {
  console.error(
    `There is no benchmark ${unknown}. Usage: npm run bench [${Object.keys(BENCHMARKS).join(' | ')}]`,
  )
  process.exitCode = 1
} else {
  await mkdir(RESULTS, { recursive: true })
  for (const name of names) await measure(name)
}

async function measure(name: string): Promise<void> {
  const report = await BENCHMARKS[name]?.()
  if (!report) return
  console.log(`\n${report.title}\n\n${asTable(report.rows)}\n\n${report.notes.join('\n')}`)
  const machine = { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version }
  const record = { name, at: new Date().toISOString(), machine, ...report }
  await writeFile(path.join(RESULTS, `${name}.json`), `${JSON.stringify(record, undefined, 2)}\n`)
}
