import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

export type Counts = { passed: number; failed: number }

export type Run = {
  root: string
  /** A folder of this run, for whatever it writes. */
  scratch: string
  env: NodeJS.ProcessEnv
  /** Ends the runner before its time. */
  signal: AbortSignal
}

/** Runs the tests of server, contract and tools, two files at a time. */
export async function runNodeTests(files: string[], { root, scratch, env, signal }: Run): Promise<Counts> {
  const counts = path.join(scratch, 'node.json')
  const reporter = (name: string, destination: string) => [
    `--test-reporter=${name}`,
    `--test-reporter-destination=${destination}`,
  ]
  const reporters = [
    ...reporter('spec', 'stdout'),
    ...reporter(path.join(import.meta.dirname, 'count-reporter.ts'), counts),
  ]
  const args = ['--test', '--test-concurrency=2', '--test-timeout=500000', ...reporters, ...files]
  const code = await run(process.execPath, args, root, env, signal)
  const { passed, failed, cancelled } = await readJson<Record<string, number>>(counts)
  return agree(code, { passed: passed ?? 0, failed: (failed ?? 0) + (cancelled ?? 0) })
}

/** Runs the browser tests. */
export async function runBrowserTests(files: string[], { root, scratch, env, signal }: Run): Promise<Counts> {
  const report = path.join(scratch, 'playwright.json')
  const args = ['test', '--reporter=list,json', ...files]
  const code = await run('playwright', args, root, { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }, signal)
  const { stats } = await readJson<{ stats?: Record<string, number> }>(report)
  const { expected = 0, unexpected = 0, flaky = 0 } = stats ?? {}
  return agree(code, { passed: expected, failed: unexpected + flaky })
}

/** A runner that failed without a failing test has failed all the same. */
function agree(code: number, { passed, failed }: Counts): Counts {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}

async function readJson<T extends object>(file: string): Promise<Partial<T>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch {
    return {}
  }
}

function run(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal) {
  return new Promise<number>((resolve) => {
    const child = spawn(program, args, { cwd, env, signal, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', (error) => {
      if (!signal.aborted) console.error(error.message)
      if (child.pid === undefined) resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}
