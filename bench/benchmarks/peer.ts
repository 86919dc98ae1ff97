import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Lifetime } from '#server/testing/product.ts'

const FOLDER = path.join(import.meta.dirname, '../peers')

/**
 * Installs the packages of a folder of bench/peers, unless its lock file is already installed. Uses
 * `npm install`, because `npm ci` requires the packages of all platforms in the lock file.
 */
export async function installPeer(folder: string): Promise<void> {
  const cwd = path.join(FOLDER, folder)
  const lockFile = await readFile(path.join(cwd, 'package-lock.json'), 'utf8')
  const marker = path.join(cwd, 'node_modules', '.installed')
  if ((await readFile(marker, 'utf8').catch(() => '')) === lockFile) return
  console.log(`Installing the packages of bench/peers/${folder}`)
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...flags], { cwd })
  await writeFile(marker, lockFile)
}

export type Peer = {
  port: number
  pid: number
  /** From the start of the program until it reported its port. */
  startMs: number
  /** For all callers, if the peer needs one. */
  token?: string
  stop: () => Promise<void>
}

/**
 * Starts a program of bench/peers in production mode. Its stdout is discarded, its stderr shown.
 * @throws if the program exits before it reports its port
 */
export async function startPeer(
  lifetime: Lifetime,
  program: string,
  env: Record<string, string>,
): Promise<Peer> {
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const child = fork(path.join(FOLDER, program), {
    cwd: FOLDER,
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  lifetime.after(() => end(child))
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${program} did not start.`)
  })
  // An exit after the start is no error.
  exited.catch(() => {})
  const [ready] = (await Promise.race([once(child, 'message'), exited])) as [{ port: number; token?: string }]
  return { ...ready, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

export const readPeerFile = (name: string) => readFile(path.join(FOLDER, name), 'utf8')

/** Counts the lines of a program of bench/peers without comments and empty lines. */
export async function countLines(program: string): Promise<number> {
  const lines = (await readPeerFile(program)).split('\n')
  return lines.filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}
