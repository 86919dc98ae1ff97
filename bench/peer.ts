import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Lifetime } from '#server/testing/product.ts'

/** Has its own packages, which nothing but the benchmark of the peers needs. */
const FOLDER = path.join(import.meta.dirname, 'peers')
const LOCK = path.join(FOLDER, 'package-lock.json')
const INSTALLED = path.join(FOLDER, 'node_modules', '.installed')

/** Installs the peers' packages, unless those of the lock file are installed. */
export async function installPeers(): Promise<void> {
  const wanted = await readFile(LOCK, 'utf8')
  if ((await readFile(INSTALLED, 'utf8').catch(() => '')) === wanted) return
  console.log('Installing the peers')
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER })
  await writeFile(INSTALLED, wanted)
}

export type Peer = { port: number; pid: number; startMs: number }

/**
 * Starts a program of this folder as in production. It reports its port when it is ready.
 * @throws when it exits instead.
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
  exited.catch(() => {})
  const [{ port }] = (await Promise.race([once(child, 'message'), exited])) as [{ port: number }]
  return { port, pid: child.pid ?? 0, startMs: performance.now() - startedAt }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

export const readPeerFile = (name: string) => readFile(path.join(FOLDER, name), 'utf8')

/** The lines of a program of this folder that are neither empty nor comments. */
export async function countLines(program: string): Promise<number> {
  const lines = (await readPeerFile(program)).split('\n')
  return lines.filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}
