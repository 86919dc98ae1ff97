import assert from 'node:assert/strict'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { CallInput as ApiCallInput } from '#server/testing/api.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'

export type Reply = { status: number; body: { code?: string; data?: unknown } }

export type CallInput = Pick<ApiCallInput, 'token' | 'body' | 'params' | 'query'>

/** Calls a node. The status is 503 if it does not answer. */
type Call = (endpoint: Endpoint, input: CallInput) => Promise<Reply>

/** A change that a node has acknowledged. Compared with the database after every round. */
export type Acknowledged =
  | { claimId: string; event: 'received' | 'edited' | 'appealed' | 'rejected' | 'reopened' }
  | { claimId: string; event: 'approved'; wallet: string }

export type World = {
  db: Database
  nodes: readonly Call[]
  people: TestUser[]
  admins: TestUser[]
  /** A number in [0, 1). */
  random: () => number
  acknowledged: Acknowledged[]
}

/** @param seed makes a run repeatable, except for the order of concurrent calls */
export async function createWorld(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  { nodes, peopleCount, seed }: { nodes: readonly Call[]; peopleCount: number; seed: number },
): Promise<World> {
  return {
    db,
    nodes,
    people: await createUsers(db, campaign.id, peopleCount),
    admins: await createUsers(db, campaign.id, 2, { role: 'admin' }),
    random: seededRandom(seed),
    acknowledged: [],
  }
}

/** Generates numbers in [0, 1) (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A random element; undefined if there is none. */
export function pick<T>({ random }: Pick<World, 'random'>, list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/** Calls a random node. @throws if the status is 500, which no operation may cause. */
export async function call(world: World, endpoint: Endpoint, input: CallInput): Promise<Reply> {
  const node = pick(world, world.nodes) ?? assert.fail('no node is up')
  const reply = await node(endpoint, input)
  assert.notEqual(reply.status, 500, `${endpoint.method} ${endpoint.path} answered 500`)
  return reply
}
