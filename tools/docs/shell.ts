import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const ROOT = path.resolve(import.meta.dirname, '../..')

export type Ended = { code: number | null; out: string; err: string }
export type Environment = Record<string, string>

/**
 * What `npm run` is here: npm itself takes half a second to start. A command is its bundle, which the bootstrap would
 * find too, but only after it has compared all sources. A test compares the rest with the scripts.
 */
const NPM = `npm() {
  if [ "$1" = run ]; then shift; fi
  local name="$1"; shift
  if [ "\${1-}" = -- ]; then shift; fi
  local bundle="dist/server/$name.js"
  if [ -f "$bundle" ]; then node "$bundle" "$@"; else node tools/bootstrap.mjs "$name" "$@"; fi
}`

/** Starts a command as a shell reads it, in the checkout. */
export function start(command: string, env: Environment): { child: ChildProcess; ended: Promise<Ended> } {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${NPM}\n${command}`], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which can be ended as a whole.
    detached: true,
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([out, err, [code]]) => ({ code: code as number | null, out, err }),
  )
  return { child, ended }
}
