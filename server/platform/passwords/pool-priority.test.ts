import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { createPasswordHasher } from './password-hash.ts'
import { poolThreads } from './pool-priority.ts'
import { until } from '#server/testing/until.ts'

test('threads that hash yield to the event loop', { skip: process.platform !== 'linux' }, async () => {
  await createPasswordHasher().hash('correct horse battery staple')
  const expected = Math.min(getPriority() + 5, 19)
  await until('all threads of the pool have a lower priority', async () =>
    (await poolThreads()).every((thread) => getPriority(thread) === expected),
  )
  assert.notDeepEqual(await poolThreads(), [])
})
