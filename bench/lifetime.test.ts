import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScope } from './lifetime.ts'

test('a scope runs all hooks from the last to the first even if some fail, and rejects with the first error', async () => {
  const scope = openScope()
  const ran: string[] = []
  const hook = (name: string, error?: Error) => async () => {
    ran.push(name)
    if (error) throw error
  }
  scope.after(hook('database'))
  scope.after(hook('product', new Error('The product does not end.')))
  scope.after(hook('load', new Error('The load does not end.')))
  await assert.rejects(scope.end(), /The load does not end/)
  assert.deepEqual(ran, ['load', 'product', 'database'])
  await scope.end() // It has no hook left that could fail.
})

test('a scope that is ended twice at once runs its hooks one at a time, and both calls wait for them', async () => {
  for (const awaited of [0, 1]) {
    const scope = openScope()
    const ran: string[] = []
    const released = Promise.withResolvers<void>()
    scope.after(async () => void ran.push('database'))
    scope.after(async () => {
      await released.promise
      ran.push('product')
    })
    const ends = [scope.end(), scope.end()]
    released.resolve()
    await ends[awaited]
    assert.deepEqual(ran, ['product', 'database'])
  }
})
