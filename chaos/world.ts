import assert from 'node:assert/strict'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Database } from '#server/platform/database.ts'
import type { TestUser } from '#server/testing/create-users.ts'

export type Reply = { status: number; body: { code?: string; data?: unknown } }

export type Given = {
  token?: string
  body?: unknown
  params?: Record<string, string>
  query?: Record<string, string | number>
}

/** A call to one of the nodes; rejects where the node cannot be reached. */
export type Call = (endpoint: Endpoint, given: Given) => Promise<Reply>

/** What an answer promised, held against the database after every round. */
export type Promised =
  | { claimId: string; event: 'received' | 'edited' | 'appealed' | 'rejected' | 'reopened' }
  | { claimId: string; event: 'approved'; wallet: string }

export type World = {
  db: Database
  nodes: readonly Call[]
  people: TestUser[]
  admins: TestUser[]
  /** From 0 to below 1. */
  random: () => number
  promised: Promised[]
}

/** One of a list, by the seed. */
export function pick<T>({ random }: Pick<World, 'random'>, list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/** Calls any node. @throws on an answer that says the server has a fault: nothing here may cause one. */
export async function call(world: World, endpoint: Endpoint, given: Given): Promise<Reply> {
  const node = pick(world, world.nodes) ?? assert.fail('no node is up')
  const reply = await node(endpoint, given)
  assert.notEqual(reply.status, 500, `${endpoint.method} ${endpoint.path} answered 500`)
  return reply
}
