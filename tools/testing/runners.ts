import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sharesOf } from './shares.ts'
import { slowestOf, type Suite, type TimedTest, timedTestsIn } from './report.ts'

export type Counts = { passed: number; failed: number; slowest: TimedTest[] }

const NONE: Counts = { passed: 0, failed: 0, slowest: [] }

export type Run = {
  root: string
  scratch: string
  env: NodeJS.ProcessEnv
  signal: AbortSignal
}

/** One more than the cores of the smallest machine, because tests also wait for processes and timers. */
const PROCESSES = 3

/** Per test: several times what the slowest takes on a busy machine. */
const TIME_LIMIT_MS = 180_000

/**
 * Runs tests that need no browser in shares, each in its own process, three at a time. One process per file
 * would load the whole server a hundred times, which took as long as the tests themselves. There are more
 * than three shares: with three equal ones, one took a minute longer than the others.
 */
export async function runNodeTests(files: string[], run: Run): Promise<Counts> {
  const queue = sharesOf(files, PROCESSES).entries()
  const counts: Counts[] = []
  const takeShares = async () => {
    for (const [index, share] of queue) {
      if (run.signal.aborted) return
      counts.push(await runShare(share, String(index), run))
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, takeShares))
  return counts.reduce(add, NONE)
}

type ReportedCounts = Record<'passed' | 'failed' | 'cancelled', number> & Pick<Counts, 'slowest'>

async function runShare(files: string[], name: string, run: Run): Promise<Counts> {
  const countsFile = path.join(run.scratch, `node-${name}.json`)
  const reporter = (kind: string, destination: string) => [
    `--test-reporter=${kind}`,
    `--test-reporter-destination=${destination}`,
  ]
  const reporters = [
    ...reporter('spec', 'stdout'),
    ...reporter(path.join(import.meta.dirname, 'report.ts'), countsFile),
  ]
  const args = ['--test', '--test-isolation=none', `--test-timeout=${TIME_LIMIT_MS}`, ...reporters, ...files]
  const code = await spawnAndWait(process.execPath, args, run)
  const { passed = 0, failed = 0, cancelled = 0, slowest = [] } = await readJson<ReportedCounts>(countsFile)
  return countRunnerFailure(code, { passed, failed: failed + cancelled, slowest })
}

function add(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    slowest: slowestOf([...one.slowest, ...other.slowest]),
  }
}

export async function runBrowserTests(files: string[], run: Run): Promise<Counts> {
  const report = path.join(run.scratch, 'playwright.json')
  const args = ['test', '--reporter=list,json', ...files]
  const env = { ...run.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await spawnAndWait('playwright', args, { ...run, env })
  const { stats, suites = [] } = await readJson<{ stats: Record<string, number>; suites: Suite[] }>(report)
  const { expected = 0, unexpected = 0, flaky = 0 } = stats ?? {}
  const slowest = slowestOf(timedTestsIn({ suites }))
  return countRunnerFailure(code, { passed: expected, failed: unexpected + flaky, slowest })
}

/** Counts a failure of the runner itself as a failed test. */
function countRunnerFailure(code: number, { failed, ...counts }: Counts): Counts {
  return { ...counts, failed: code !== 0 && failed === 0 ? 1 : failed }
}

async function readJson<T extends object>(file: string): Promise<Partial<T>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch {
    return {}
  }
}

/** @returns the exit code; 1 if the program was aborted or could not be started. */
function spawnAndWait(program: string, args: string[], { root, env, signal }: Run) {
  return new Promise<number>((resolve) => {
    const child = spawn(program, args, { cwd: root, env, signal, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', (error) => {
      if (!signal.aborted) console.error(error.message)
      if (child.pid === undefined) resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}
