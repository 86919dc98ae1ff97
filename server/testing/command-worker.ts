import { pathToFileURL } from 'node:url'
import type { Ended } from './product.ts'
import type { CommandRun } from './warm-command.ts'

/**
 * Runs commands one after another, each as if in a process of its own. A command has ended when nothing of it
 * would keep a process alive: `beforeExit` tells, because while a command runs, the channel to the test does
 * not keep this process alive either.
 */

/** What Node exits with if a top-level `await` of a module never settles. */
const UNSETTLED = 13

let runs = 0
let ended: Ended = { code: UNSETTLED, out: '', err: '' }

function collect(stream: NodeJS.WriteStream, name: 'out' | 'err'): void {
  stream.write = (chunk: string | Uint8Array) => {
    ended[name] += String(chunk)
    return true
  }
}
collect(process.stdout, 'out')
collect(process.stderr, 'err')

process.on('message', async ({ program, args, env }: CommandRun) => {
  process.channel?.unref()
  ended = { code: UNSETTLED, out: '', err: '' }
  process.argv = [process.execPath, program, ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  runs += 1
  // Node loads a module once for each address, so each run has one of its own.
  await import(`${pathToFileURL(program).href}?${runs}`)
  ended.code = Number(process.exitCode ?? 0)
})

process.on('beforeExit', () => {
  // Commands listen for signals until their process ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal)
  process.exitCode = undefined
  process.channel?.ref()
  process.send?.(ended)
})
process.on('disconnect', () => process.exit())
