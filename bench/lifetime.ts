import type { Lifetime } from '#server/testing/product.ts'

/** Runs the registered hooks when it ends, the last one first. */
export type Scope = Lifetime & { end(): Promise<void> }

const scopes: Scope[] = []

/** A scope that also ends when the benchmark's process does, even if a signal ends it. */
export function openScope(): Scope {
  const ends: (() => Promise<void>)[] = []
  const scope: Scope = {
    after: (end) => void ends.push(end),
    async end() {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    },
  }
  scopes.push(scope)
  return scope
}

/** Ends everything that the benchmark has started and not ended yet. */
export async function endAll(): Promise<void> {
  for (let scope = scopes.pop(); scope; scope = scopes.pop()) await scope.end()
}
