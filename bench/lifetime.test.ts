import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScope } from './lifetime.ts'

test('a scope runs its hooks from the last to the first, goes on after one that fails, and rejects with its error', async () => {
  const scope = openScope()
  const ran: string[] = []
  const hook = (name: string, error?: Error) => async () => {
    ran.push(name)
    if (error) throw error
  }
  scope.after(hook('database'))
  scope.after(hook('second', new Error('second')))
  scope.after(hook('first', new Error('first')))
  await assert.rejects(scope.end(), /first/)
  assert.deepEqual(ran, ['first', 'second', 'database'])
  await scope.end()
})
