import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

type Step = [name: string, program: string, ...args: string[]]

/** `npm run check`: all static checks. */
const STEPS: Step[] = [
  ['Formatting', 'oxfmt', '--check', '.'],
  ['Lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['Types outside the web', 'tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['Types of the web', 'tsc', '--noEmit', '-p', 'web/tsconfig.json'],
  ['Messages', process.execPath, 'tools/messages/main.ts', '--check'],
  ['Dead code', 'knip'],
  ['Types of the tables', process.execPath, 'tools/types-database.ts', '--check'],
  ['Lock file', process.execPath, 'tools/complete-lockfile.ts', '--check'],
  ['Direction of imports', 'depcruise', '--config', 'tools/import-rules.ts', 'contract', 'server', 'web'],
]

let failedCount = 0
const queue = STEPS.values()
// Two workers: most steps use a single core.
await Promise.all([runSteps(), runSteps()])
console.log(failedCount === 0 ? 'All checks passed.' : `${failedCount} of ${STEPS.length} checks failed.`)
process.exitCode = failedCount === 0 ? 0 : 1

async function runSteps(): Promise<void> {
  for (const [name, program, ...args] of queue) {
    const startedAt = performance.now()
    const { code, output } = await run(program, args)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
    if (code === 0) continue
    console.log(output.trim())
    failedCount += 1
  }
}

async function run(program: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: (code as number | null) ?? 1, output: stdout + stderr }
}
