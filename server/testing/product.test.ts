import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from './product.ts'

test('hooks run in reverse order even if one fails, and its error is thrown at the end', async () => {
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
