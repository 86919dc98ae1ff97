import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import path from 'node:path'
import { installedBinaries } from '#server/platform/database/embedded/binaries.ts'
import { isMet, marksOf, type Report, type Row, SEED } from './report.ts'

/** The results of one benchmark, with everything needed to judge and to repeat them. */
export type BenchmarkRecord = {
  name: string
  /** When the results were written, in ISO 8601. */
  at: string
  seconds: number
  quick: boolean
  seed: number
  machine: { cpu: string; cores: number; memoryGb: number; kernel: string }
  versions: { node: string; postgresql: string; commit: string }
  reports: readonly Report[]
}

const ROOT = path.resolve(import.meta.dirname, '..')
const RESULTS = path.join(import.meta.dirname, 'results')
const fileOf = (name: string) => path.join(RESULTS, `${name}.json`)

export async function writeRecord(
  result: Pick<BenchmarkRecord, 'name' | 'seconds' | 'quick' | 'reports'>,
): Promise<void> {
  const { version } = await installedBinaries()
  const record: BenchmarkRecord = {
    ...result,
    at: new Date().toISOString(),
    seed: SEED,
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: availableParallelism(),
      memoryGb: Math.round(totalmem() / 2 ** 30),
      kernel: `${type()} ${release()}`,
    },
    // Every version of the package of the binaries is called a beta.
    versions: { node: process.version, postgresql: version.replace(/-beta.*/, ''), commit: readCommit() },
  }
  await mkdir(RESULTS, { recursive: true })
  await writeFile(fileOf(result.name), `${JSON.stringify(record, undefined, 2)}\n`)
}

/** The last results of a benchmark; undefined if it has never run here. */
export function readRecord(name: string): BenchmarkRecord | undefined {
  if (!existsSync(fileOf(name))) return undefined
  return JSON.parse(readFileSync(fileOf(name), 'utf8')) as BenchmarkRecord
}

/** The checked-out commit, with a plus sign if files differ from it; `unknown` outside a repository. */
function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}

export function markRows(records: readonly BenchmarkRecord[]): Row[] {
  return records.flatMap(({ name, reports }) =>
    marksOf(reports).map(({ what, column, cell }) => ({
      benchmark: name,
      what,
      figure: column,
      value: cell,
      why: isMet(cell) ? '' : (cell.whyMissed ?? ''),
    })),
  )
}
