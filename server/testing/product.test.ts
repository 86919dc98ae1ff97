import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd, startCommand } from './product.ts'

test('hooks run from the last to the first, also after one has failed, and then its error is thrown', async () => {
  const ends: (() => Promise<void>)[] = []
  const lifetime = { after: (end: () => Promise<void>) => void ends.push(end) }
  const ran: string[] = []
  atEnd(lifetime, async () => ran.push('folder'))
  atEnd(lifetime, async () => {
    ran.push('program')
    throw new Error('program')
  })
  const [end, ...others] = ends
  assert.deepEqual(others, [])
  await assert.rejects(end?.() ?? Promise.resolve(), /program/)
  assert.deepEqual(ran, ['program', 'folder'])
})

test('a command that cannot start ends with the code -1', async (t) => {
  const { mock } = t.mock.property(process, 'execPath', '/nowhere/node')
  const { ended } = startCommand('doctor', [], {})
  mock.restore()
  assert.equal((await ended).code, -1)
})
