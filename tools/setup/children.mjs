import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import path from 'node:path'

let runningChild
/** The signal that is ending this process. A program that starts after it gets it, too. */
let endSignal

/**
 * Forwards signals to the running program, and terminates it when npm dies. If npm is killed with SIGKILL,
 * the only sign is that this process has another parent.
 */
export function endWithParent() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => end(signal))
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const endIfOrphaned = () => {
    if (process.ppid !== parent) end('SIGTERM')
  }
  setInterval(endIfOrphaned, 1000).unref()
}

function end(signal) {
  // `endWithParent` repeats SIGTERM every second once the parent is gone.
  if (signal === 'SIGTERM' && endSignal === 'SIGTERM') return
  endSignal = signal
  if (runningChild) runningChild.kill(signal)
  else process.exit(128 + numberOf(signal))
}

/**
 * Runs a program to its end with inherited stdio. Its IPC channel closes when this process dies, even by
 * SIGKILL. Long-running programs listen for 'disconnect'.
 * @returns the exit code; after a signal, 128 plus its number
 */
export function run(program, args, options) {
  return untilEnd(spawn(program, args, { ...options, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
}

export async function runQuietly(program, args, options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { code: await untilEnd(child), output }
}

/** Runs `prepare` and a program, and both again whenever one of the paths below options.cwd changes. */
export async function runAgainOnChange(program, args, options, { paths, prepare }) {
  let noteChange = () => {}
  const files = paths.map((name) => path.join(options.cwd, name))
  for (const file of files.filter((name) => existsSync(name))) {
    watch(file, { recursive: true }, (_, name) => {
      if (!name?.endsWith('.test.ts')) noteChange()
    })
  }
  for (;;) {
    let timer
    const change = new Promise((resolve) => {
      // Editors write several times per save.
      noteChange = () => {
        clearTimeout(timer)
        timer = setTimeout(resolve, 100)
      }
    })
    // A file may be broken while it is edited. The program then runs with the result of the last preparation.
    await prepare().catch((error) => console.error(error.message))
    const ended = run(program, args, options)
    const code = await Promise.race([ended, change])
    if (endSignal !== undefined) return ended
    // A change came first.
    if (code === undefined) runningChild?.kill('SIGTERM')
    else console.log(`The program ended with ${code}. It will start again at the next change.`)
    await Promise.all([ended, change])
  }
}

function untilEnd(child) {
  if (endSignal !== undefined) child.kill(endSignal)
  runningChild = child
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      runningChild = undefined
      if (endSignal !== undefined && code === null) process.exit(128 + numberOf(signal))
      resolve(code ?? 128 + numberOf(signal))
    })
  })
}

const numberOf = (signal) => ({ SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 })[signal] ?? 1
