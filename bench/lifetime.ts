import { type Lifetime, runHooks } from '#server/testing/product.ts'

/** Runs the registered hooks when it ends, the last one first. */
export type Scope = Lifetime & { end(): Promise<void> }

const scopes: Scope[] = []

/** A scope that also ends when the benchmark's process does, even if a signal ends it. */
export function openScope(): Scope {
  const ends: (() => Promise<void>)[] = []
  const scope: Scope = {
    after: (end) => void ends.push(end),
    end: () => runHooks(takeLast(ends)),
  }
  scopes.push(scope)
  return scope
}

let ending: Promise<void> | undefined

/**
 * Ends everything that the benchmark has started and not ended yet. All calls wait for the same end: Ctrl-C
 * arrives several times, from the terminal and from parent processes, and each caller exits afterwards.
 */
export function endAll(): Promise<void> {
  ending ??= runHooks(takeLast(scopes).map((scope) => () => scope.end()))
  return ending
}

/** Empties a list from its end, including what is added meanwhile. */
function* takeLast<T>(list: T[]): Generator<T> {
  for (let last = list.pop(); last !== undefined; last = list.pop()) yield last
}
