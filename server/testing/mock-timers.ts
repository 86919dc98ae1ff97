import type { TestContext } from 'node:test'

/** Advances mocked timers in steps of this many milliseconds until the promise is settled, real input and output included. */
export async function advanceUntil<T>(t: TestContext, promise: Promise<T>, step: number): Promise<T> {
  let isSettled = false
  const settle = () => void (isSettled = true)
  promise.then(settle, settle)
  while (!isSettled) {
    t.mock.timers.tick(step)
    await new Promise(setImmediate)
  }
  return await promise
}
