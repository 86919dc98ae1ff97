import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from './product.ts'

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
