import { type Lifetime, runHooks } from '#server/testing/product.ts'

/** Runs its hooks when it ends, one at a time, in reverse order. A second `end` waits for the first. */
export type Scope = Lifetime & { end(): Promise<void> }

const scopes: Scope[] = []

/** A scope that also ends when the benchmark's process ends, even by a signal. */
export function openScope(): Scope {
  const hooks: (() => Promise<void>)[] = []
  let lastEnd: Promise<unknown> = Promise.resolve()
  const scope: Scope = {
    after: (hook) => void hooks.push(hook),
    end() {
      const end = lastEnd.then(() => runHooks(drainFromEnd(hooks)))
      lastEnd = end.catch(() => {})
      return end
    },
  }
  scopes.push(scope)
  return scope
}

/** Runs the callback with a scope, and ends the scope afterwards. */
export async function inScope<T>(use: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = openScope()
  try {
    return await use(scope)
  } finally {
    await scope.end()
  }
}

let ending: Promise<void> | undefined

/**
 * Ends all scopes that are still open. Several calls wait for the same end, because Ctrl-C arrives several
 * times: from the terminal and from parent processes.
 */
export function endAll(): Promise<void> {
  ending ??= runHooks(drainFromEnd(scopes).map((scope) => () => scope.end()))
  return ending
}

/** Empties a list from its end, including items added meanwhile. */
function* drainFromEnd<T>(list: T[]): Generator<T> {
  for (let last = list.pop(); last !== undefined; last = list.pop()) yield last
}
