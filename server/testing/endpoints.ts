import { globSync } from 'node:fs'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { fromRoot } from '#server/platform/root.ts'

const isEndpoint = (value: unknown): value is Endpoint => Object.hasOwn(Object(value), 'access')

/** Every endpoint that a file in `contract/` declares, whether or not the program serves it. */
export const ENDPOINTS: readonly Endpoint[] = (
  await Promise.all(
    globSync('**/*.ts', { cwd: fromRoot('contract'), exclude: ['**/*.test.ts'] })
      .toSorted()
      .map((file) => import(fromRoot(`contract/${file}`)) as Promise<Record<string, unknown>>),
  )
).flatMap((exported) => Object.values(exported).filter(isEndpoint))
