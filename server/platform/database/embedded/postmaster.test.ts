import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '#server/testing/product.ts'
import { makeInitializedDataDir } from '#server/testing/database/initialized-data-dir.ts'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'

test('an immediate stop signals PostgreSQL at once', { skip: process.platform !== 'linux' }, async (t) => {
  const server = await startEmbeddedPostgres({ dataDir: await makeInitializedDataDir(t), log: () => {} })
  atEnd(t, server.stop)
  const kill = t.mock.method(process, 'kill')
  const stopped = server.stopImmediately()
  // The process may end half a second later. In this turn of the event loop no file is read in the
  // background, however idle the machine is.
  for (let microtask = 0; microtask < 100; microtask += 1) await Promise.resolve()
  assert.deepEqual(
    kill.mock.calls.map(({ arguments: [, signal] }) => signal),
    ['SIGQUIT'],
  )
  await stopped
})
