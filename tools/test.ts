import { globSync } from 'node:fs'
import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../server/platform/database/embedded-postgres.ts'
import { findSharedMemory, findSharedMemoryForPrograms } from '../server/testing/database/shared-memory.ts'
import { affectedTests, changedSince } from './testing/affected.ts'
import { findBrowser } from './testing/browser.ts'
import { type Counts, type Run, runBrowserTests, runNodeTests } from './testing/runners.ts'
import { describeSlowest } from './testing/report.ts'

/**
 * `npm test -- [--since ref] [part of a path]…`: runs all tests, or only those that changes since a git ref
 * can affect, and only files whose path contains one of the arguments. Ends with the ten slowest server tests
 * and the ten slowest browser tests.
 */

const USAGE = 'Usage: npm test -- [--since REF] [PART OF A PATH]…'
const ROOT = path.resolve(import.meta.dirname, '..')
const { since, filters } = readArguments()
const changed = since === undefined ? undefined : changedSince(ROOT, since)
const nodeTests = findTests('{server,contract,tools,web,chaos,bench,deploy}/**/*.test.ts')
const browserTests = findTests('e2e/**/*.spec.ts')
if (!changed && nodeTests.length + browserTests.length === 0)
  fail(`No test file has ${filters.join(' or ')} in its path.`)

// Memory in pages of 2 MiB instead of 4 KiB, because PostgreSQL starts a process for each of the thousands of
// connections. The tests of claims take a fifth less time, all tests together 5 % (decision 056).
process.env['GLIBC_TUNABLES'] = 'glibc.malloc.hugetlb=1:glibc.malloc.top_pad=2097152'

const stopController = new AbortController()
// Ctrl-C arrives several times: from the terminal, and from the process that started this one.
for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => stopController.abort())

// In memory if possible: tests create and delete thousands of files, including programs that they run.
const scratch = await mkdtemp(
  path.join((await findSharedMemoryForPrograms()) ?? tmpdir(), 'dropwright-tests-'),
)
const env: NodeJS.ProcessEnv = {
  ...process.env,
  TMPDIR: scratch,
  NODE_COMPILE_CACHE: path.join(scratch, 'compiled'),
  TEST_PICTURES: path.join(scratch, 'pictures'),
}
const run: Run = { root: ROOT, scratch, env, signal: stopController.signal }
const results: Counts[] = []
// If a browser has to be downloaded, the server tests run meanwhile.
const browser = browserTests.length > 0 ? findBrowser(env) : undefined
// The `await` below reports a failure. Without this handler, an earlier failure would end the process.
browser?.catch(() => {})
try {
  if (nodeTests.length > 0) results.push(await withDatabase(() => runNodeTests(nodeTests, run)))
  if (browser && !stopController.signal.aborted) {
    env['CHROMIUM_PATH'] = await browser
    results.push(await runBrowserTests(browserTests, run))
  }
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
}

for (const { slowest } of results)
  console.log(['The slowest tests:', ...describeSlowest(slowest, ROOT)].join('\n'))
const sum = (key: 'passed' | 'failed') => results.reduce((total, counts) => total + counts[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
const isNothingAffected = changed !== undefined && nodeTests.length + browserTests.length === 0
const hasSucceeded = sum('failed') === 0 && (sum('passed') > 0 || isNothingAffected)
process.exitCode = hasSucceeded && !stopController.signal.aborted ? 0 : 1
// The IPC channel would keep this process alive.
process.disconnect?.()

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { since: { type: 'string' } },
      allowPositionals: true,
    })
    return { since: values.since, filters: positionals }
  } catch {
    return fail(USAGE)
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function findTests(pattern: string): string[] {
  // The products that the benchmarks compare with (bench/peers) install packages, some with tests.
  const all = globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).toSorted()
  const files = changed ? affectedTests(ROOT, changed, all) : all
  return filters.length === 0 ? files : files.filter((file) => filters.some((part) => file.includes(part)))
}

/** Starts a PostgreSQL for the whole run. Each test creates its own database there. */
async function withDatabase<T>(use: () => Promise<T>): Promise<T> {
  const dataDir = path.join(scratch, 'data')
  const { ownerUrl: url, stop: stopPostgres } = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const sharedMemory = await findSharedMemory()
  const memoryFolder = sharedMemory && (await mkdtemp(path.join(sharedMemory, 'dropwright-tests-')))
  try {
    await disableDurability(url, memoryFolder)
    env['TEST_DATABASE_URL'] = url
    return await use()
  } finally {
    await stopPostgres()
    await removeEmbeddedPostgres(dataDir)
    if (memoryFolder) await rm(memoryFolder, { recursive: true, force: true })
  }
}

/**
 * Without fsync, tests take half the time. Without full-page writes, they write half as much to the WAL:
 * creating a database forces a checkpoint, after which each page would be written in full again. Databases
 * created from now on are stored in `memoryFolder`, if there is one. A database is three hundred files.
 * Allocating them on disk took a sixth of the processor time of a run, because the file system reuses freed
 * space only after a minute.
 */
async function disableDurability(url: string, memoryFolder: string | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('alter system set fsync = off')
    await client.query('alter system set full_page_writes = off')
    await client.query('select pg_reload_conf()')
    if (!memoryFolder) return
    // The folder must belong to PostgreSQL's user. If root runs the tests, that is not this process's user.
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const { uid, gid } = await stat(rows[0]!.data_directory)
    await chown(memoryFolder, uid, gid)
    await client.query(`create tablespace memory location ${pg.escapeLiteral(memoryFolder)}`)
    // New databases are copies of template1 and inherit its tablespace.
    await client.query('alter database template1 set tablespace memory')
  } finally {
    await client.end()
  }
}
