import assert from 'node:assert/strict'
import { chown, lstat, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import {
  clusterOf,
  makeDataDir,
  postmasterPid,
  type Running,
  type Starter,
  findStarters,
  startProcess,
} from '#server/testing/database/embedded-postgres.ts'
import { initializeDataDir, makeInitializedDataDir } from '#server/testing/database/initialized-data-dir.ts'
import { atEnd } from '#server/testing/product.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { until } from '#server/testing/until.ts'
import { whyItEnded } from './embedded/acquire-cluster.ts'
import { createCluster } from './embedded/cluster.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {}) // PostgreSQL may be killed meanwhile.
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const writeNote = ({ url }: Running) => query(url, `create table note as select 'kept' as text`)
const readNote = async ({ url }: Running) => (await query(url, 'select text from note'))[0]?.text
const socketOf = ({ url }: Running) => new URL(url).searchParams.get('host') ?? ''

const starters = await findStarters()
/** A starter is an account that starts PostgreSQL. Unless this run is root, both are its own account. */
const [root, ordinary] = [starters[0] ?? assert.fail(), starters.at(-1) ?? assert.fail()]

async function makeInitialized(t: TestContext, starter: Starter, name?: string): Promise<string> {
  const dataDir = await makeDataDir(t, starter, name)
  await initializeDataDir(dataDir, starter.account)
  return dataDir
}

const NOT_ROOT = process.getuid?.() !== 0 && 'this run is not root'

function testEach(name: string, run: (t: TestContext, starter: Starter) => Promise<void>): void {
  for (const starter of starters) test(`${name}, started by ${starter.name}`, (t) => run(t, starter))
}

// Side by side, because they mostly wait for processes. The longest ones begin first.
describe('embedded PostgreSQL', { concurrency: 3 }, () => {
  // An orphan is a PostgreSQL whose owner was killed. One starter is enough for an orphan that hangs.
  for (const [starter, hangs] of [
    [ordinary, true],
    ...starters.map((each) => [each, false] as const),
  ] as const) {
    const what = hangs ? 'replaces an orphan that hangs' : 'adopts an orphan after kill -9'
    test(`${what}, with all committed data, started by ${starter.name}`, async (t) => {
      const dataDir = await makeInitialized(t, starter)
      const killed = await startProcess(starter, dataDir)
      await writeNote(killed)
      const orphan = (await postmasterPid(dataDir)) ?? assert.fail()
      await killed.kill()
      assert.equal(await postmasterPid(dataDir), orphan)
      if (hangs) process.kill(orphan, 'SIGSTOP')
      const next = await startProcess(starter, dataDir)
      assert.equal(await readNote(next), 'kept')
      assert.equal((await postmasterPid(dataDir)) !== orphan, hangs)
      await next.stop()
      assert.equal(await postmasterPid(dataDir), undefined)
    })
  }

  const assertDurable = async (running: Running, dataDir: string) => {
    const rows = await query(
      running.url,
      `select current_database() as database, datlocale, pg_encoding_to_char(encoding) as encoding,
         current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync
       from pg_database where datname = current_database()`,
    )
    assert.deepEqual(rows, [
      { database: 'dropwright', datlocale: 'C.UTF-8', encoding: 'UTF8', addresses: '', fsync: 'on' },
    ])
    assert.equal((await stat(socketOf(running))).mode & 0o777, 0o700)
    assert.notEqual((await stat(await clusterOf(dataDir))).uid, 0)
  }

  testEach('names an unusable DATA_DIR with the cause and the remedy', async (t, starter) => {
    const home = path.dirname(await makeDataDir(t, starter))
    const file = path.join(home, 'file')
    await writeFile(file, '')
    const unusable: [dataDir: string, reason: RegExp][] = [
      [file, /it is a file, not a folder/],
      [path.join(file, 'below'), /a part of the path is a file/],
    ]
    if (process.platform === 'linux')
      unusable.push([`/proc/${process.pid}/data/of/ours`, /no folder can be made there/])
    if (starter.account) {
      const foreign = path.join(home, 'foreign')
      await mkdir(foreign, { mode: 0o755 })
      unusable.push([foreign, /uid \d+ may not write there/], [`${foreign}/data`, /may not write there/])
    }
    const start = (dataDir: string): Promise<unknown> =>
      starter.account ? startProcess(starter, dataDir) : startEmbeddedPostgres({ dataDir, log: () => {} })
    for (const [dataDir, reason] of unusable)
      await assert.rejects(start(dataDir), (error: Error) => {
        assert.ok(error.message.includes(`DATA_DIR ${dataDir} cannot be used: `), error.message)
        assert.match(error.message, reason)
        assert.match(error.message, /Set DATA_DIR to a folder that this account may write to\./)
        return true
      })
  })

  testEach('uses a short private socket folder when the path is too long', async (t, starter) => {
    const dataDir = await makeInitialized(t, starter, `${'long '.repeat(20)}'"path`)
    const running = await startProcess(starter, dataDir)
    const socket = socketOf(running)
    assert.ok(socket.length < 100, 'longer paths of sockets do not work everywhere')
    const { uid, mode } = await lstat(socket)
    assert.equal(mode & 0o777, 0o700)
    assert.equal(uid, (await stat(await clusterOf(dataDir))).uid)
    await running.stop()
    // Only root can change the owner of the folder.
    if (!starter.account) return
    await chown(socket, 1, 1)
    await assert.rejects(startProcess(starter, dataDir), /belongs to another user/)
  })

  test('one process owns a DATA_DIR, whose PostgreSQL runs until that process stops', async (t) => {
    const dataDir = await makeInitialized(t, ordinary)
    const pidFile = path.join(await clusterOf(dataDir), 'postmaster.pid')
    await writeFile(pidFile, `${process.pid}\n${path.dirname(pidFile)}\n`)
    if (ordinary.account) await chown(pidFile, ordinary.account.uid, ordinary.account.gid)
    const owner = await startProcess(ordinary, dataDir)
    await writeNote(owner)

    await t.test('ignores a pid file whose pid belongs to another program', async () =>
      assert.notEqual(await postmasterPid(dataDir), process.pid),
    )

    await t.test('rejects a second process on the same DATA_DIR and names the owner', async () => {
      const problem = `in use by process ${owner.child.pid}: stop that one, or start this one with another DATA_DIR`
      const second = startProcess(ordinary, dataDir, { ownerWaitMs: 100 })
      await assert.rejects(second, ({ message }: Error) => message.includes(problem))
    })

    await t.test('a command uses the PostgreSQL of a running owner', async () => {
      const beside = await startProcess(ordinary, dataDir, { verb: 'open' })
      assert.equal(await readNote(beside), 'kept')
      await beside.stop()
      assert.equal(await readNote(owner), 'kept')
    })

    await t.test('restarts a PostgreSQL that dies, with all committed data', async () => {
      const pid = await postmasterPid(dataDir)
      assert.ok(pid)
      process.kill(pid, 'SIGKILL')
      await until('PostgreSQL answers again', async () => (await readNote(owner).catch(() => '')) === 'kept')
      assert.notEqual(await postmasterPid(dataDir), pid)
      assert.equal(await owner.stop(), 0)
      assert.equal(await postmasterPid(dataDir), undefined)
    })

    const alone = await startProcess(ordinary, dataDir, { verb: 'open' })
    const maintenanceUrl = alone.url.replace('/dropwright?', '/postgres?')
    await t.test('a command starts its own PostgreSQL where there is no owner, and stops it', async () => {
      assert.equal(await readNote(alone), 'kept')
      // So that the next start cannot create its database.
      await query(maintenanceUrl, 'drop database dropwright')
      await query(maintenanceUrl, 'alter database postgres set default_transaction_read_only = on')
      await alone.stop()
      assert.equal(await postmasterPid(dataDir), undefined)
    })

    await t.test('leaves nothing running if it cannot create its database', async () => {
      await assert.rejects(startProcess(ordinary, dataDir), /cannot execute CREATE DATABASE/)
      assert.equal(await postmasterPid(dataDir), undefined)
    })
  })

  test('of two first starts, one creates a durable UTF-8 database that only a socket reaches; the other waits until it ends', async (t) => {
    const dataDir = await makeDataDir(t, ordinary)
    const both = [1, 2].map(() => startProcess(ordinary, dataDir, { ownerWaitMs: 120_000 }))
    const first = await Promise.race(both)
    await assertDurable(first, dataDir)
    await writeNote(first)
    assert.equal(await first.stop(), 0)
    const second = (await Promise.all(both)).find((running) => running !== first) ?? assert.fail()
    assert.equal(await readNote(second), 'kept')
    await second.stop()
  })

  test(
    'for root, creates a durable database, and another after the DATA_DIR was deleted',
    { skip: NOT_ROOT },
    async (t) => {
      const dataDir = await makeDataDir(t, root)
      // PostgreSQL, which refuses to run as root, may not enter this folder.
      await mkdir(dataDir, { mode: 0o700 })
      const before = await startProcess(root, dataDir)
      await assertDurable(before, dataDir)
      await writeNote(before)
      assert.equal(await before.stop(), 0)
      const folder = path.dirname(await clusterOf(dataDir))
      t.after(() => rm(folder, { recursive: true, force: true }))
      await rm(dataDir, { recursive: true })
      const after = await startProcess(root, dataDir)
      await assert.rejects(readNote(after), /relation "note" does not exist/)
      await after.stop()
    },
  )

  test('for root, a missing database folder is an error', { skip: NOT_ROOT }, async (t) => {
    const dataDir = await makeInitialized(t, root)
    await rm(path.dirname(await clusterOf(dataDir)), { recursive: true })
    await assert.rejects(startProcess(root, dataDir), /The database of .* is gone/)
  })
})

test('an immediate stop signals PostgreSQL at once', { skip: process.platform !== 'linux' }, async (t) => {
  const server = await startEmbeddedPostgres({ dataDir: await makeInitializedDataDir(t), log: () => {} })
  atEnd(t, server.stop)
  const kill = t.mock.method(process, 'kill')
  const stopped = server.stopImmediately()
  // The process may end half a second later. Nothing may depend on an asynchronous read: microtasks alone do
  // not let one finish.
  for (let microtask = 0; microtask < 100; microtask += 1) await Promise.resolve()
  const signals = kill.mock.calls.map(({ arguments: [, signal] }) => signal)
  assert.deepEqual(signals, ['SIGQUIT'])
  await stopped
})

test('a start goes on when another start has just renamed its draft', async (t) => {
  const dataDir = await scratchFolder(t)
  const cluster = path.join(dataDir, 'cluster')
  // A dangling link stands for such a draft: it is listed, but examining it fails.
  await symlink(path.join(dataDir, 'gone'), `${cluster}.new-other`)
  const binaries = { folder: path.join(dataDir, 'no-binaries'), version: '0' }
  const location = { dataDir, cluster, socket: dataDir, log: dataDir, maxConnections: 0, binaries }
  await assert.rejects(createCluster({ ...location, account: undefined }), /could not be created: .*initdb/)
})

test('a start that fails says why, although PostgreSQL has more to say afterwards', () => {
  const entry = (text: string) => `2026-11-27 07:53:58.603 UTC [13106] ${text}`
  const earlier = [entry('LOG:  starting PostgreSQL 18.4'), entry('FATAL:  another reason')]
  const start = [
    ...earlier,
    entry('LOG:  starting PostgreSQL 18.4 on x86_64'),
    entry('LOG:  redo starts at 0/1A0'),
    entry('FATAL:  the database system is not yet accepting connections'),
    entry('DETAIL:  Consistent recovery state has not been yet reached.'),
  ]
  const end = [
    entry('LOG:  startup process (PID 13106) exited with exit code 1'),
    entry('LOG:  terminating any other active server processes'),
    entry('LOG:  shutting down due to startup process failure'),
    entry('LOG:  database system is shut down'),
  ]
  const full = entry('FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device')
  const refusedClient = entry('FATAL:  the database system is not yet accepting connections')
  assert.equal(
    whyItEnded([...start, full, refusedClient, ...end, ''].join('\n')),
    'could not write to file "pg_wal/xlogtemp.1": No space left on device',
  )
  const refused = [
    entry('FATAL:  data directory "/data" has invalid permissions'),
    entry('DETAIL:  Permissions should be u=rwx (0700).'),
  ]
  assert.equal(
    whyItEnded([...earlier, ...refused].join('\n')),
    'data directory "/data" has invalid permissions. Permissions should be u=rwx (0700).',
  )
  assert.equal(whyItEnded([...start, ...end].join('\n')), end.join(' | '), 'without a reason, the last lines')
})
