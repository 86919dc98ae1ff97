import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { after } from 'node:test'
import { CHECKOUT, type CommandName, type Ended, environmentWith, fileOf } from './product.ts'

/** What the process of `command-worker.ts` runs. */
export type CommandRun = { program: string; args: readonly string[]; env: NodeJS.ProcessEnv }

const processes = new Set<ChildProcess>()
const idle: ChildProcess[] = []
// At file level, because a hook inside a test would run after that test.
after(() => {
  for (const child of processes) child.kill('SIGKILL')
})

function startWorker(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, 'command-worker.ts'), {
    cwd: CHECKOUT,
    env: environmentWith({}),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  processes.add(child)
  return child
}

/**
 * Like `runCommand`, but in a process that has run other commands before: loading a command takes 0.4 s of
 * processor time, more than running most of them. Resolves when a process of the command's own would end. Not
 * for the doctor, whose timer may end the process during a later command.
 */
export async function runWarm(
  name: CommandName,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Ended> {
  const child = idle.pop() ?? startWorker()
  const { promise: ended, resolve, reject } = Promise.withResolvers<Ended>()
  const fail = (code: number | null) => reject(new Error(`${name} ended its process with ${code}.`))
  child.once('message', resolve).once('exit', fail)
  const run: CommandRun = { program: fileOf(name), args, env: environmentWith(env) }
  child.send(run)
  await ended
  child.off('exit', fail)
  idle.push(child)
  return ended
}
