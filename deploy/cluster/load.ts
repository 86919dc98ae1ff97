import { setTimeout as pause } from 'node:timers/promises'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { campaign as campaignCall } from '#contract/campaign.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import testCampaign from '#server/testing/campaign.ts'
import type { Database } from '#server/platform/database/database.ts'
import { quantile } from '../../bench/stopwatch.ts'
import { callAt } from '../../chaos/node-process.ts'
import { runRandomOperation } from '../../chaos/operations.ts'
import { type CallInput, createWorld, type Reply, type World } from '../../chaos/world.ts'
import { ORIGIN } from './settings.ts'

/** A call through the balancer. */
export type Sample = { startedAt: number; ms: number; status: number; isWrite: boolean }

export type Load = {
  world: World
  samples: Sample[]
  stop(): Promise<void>
}

const PEOPLE = 3_000
/** The other participants join one after another. */
const PEOPLE_AT_START = 40
/** A limited load, so that steps can be compared: six players and four readers, who pause between calls. */
const PLAYERS = 6
const READERS = 4
const PAUSE_MS = 60
const SEED = 369

/**
 * Starts players, who do the operations of `npm run chaos`, and readers. Each call may reach any node.
 * `world.acknowledged` records the acknowledged changes.
 */
export async function startLoad(db: Database): Promise<Load> {
  const samples: Sample[] = []
  const node: World['nodes'][number] = (endpoint, input) => callAndSample(samples, endpoint, input)
  const parts = { nodes: [node], peopleCount: PEOPLE, seed: SEED }
  const world = await createWorld({ db, campaign: testCampaign }, parts)
  const newcomers = world.people.splice(PEOPLE_AT_START)
  const stopping = new AbortController()
  const repeat = async (step: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      await step()
      await pause(PAUSE_MS)
    }
  }
  const play = async () => {
    await runRandomOperation(world)
    // A newcomer joins, so that there is always someone who can claim.
    world.people.push(...newcomers.splice(0, 1))
  }
  const read = async () => {
    const page = 1 + Math.floor(world.random() * 30)
    await callAndSample(samples, leaderboard, { query: { page, limit: 10 } })
    await callAndSample(samples, campaignCall, {})
  }
  const running = Promise.all([
    ...Array.from({ length: PLAYERS }, () => repeat(play)),
    ...Array.from({ length: READERS }, () => repeat(read)),
  ])
  return {
    world,
    samples,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

export async function callAndSample(samples: Sample[], endpoint: Endpoint, input: CallInput): Promise<Reply> {
  const startedAt = performance.now()
  const reply = await callAt(ORIGIN, endpoint, input)
  const ms = performance.now() - startedAt
  samples.push({ startedAt, ms, status: reply.status, isWrite: endpoint.method !== 'GET' })
  return reply
}

export const isFailed = ({ status }: Sample) => status >= 500

export const samplesBetween = (samples: readonly Sample[], from: number, to: number) =>
  samples.filter(({ startedAt }) => startedAt >= from && startedAt < to)

/** The milliseconds within which a share of the calls ended; NaN without calls. */
export function percentile(samples: readonly Sample[], share: number): number {
  const times = samples.map(({ ms }) => ms)
  return times.length === 0 ? Number.NaN : quantile(times, share)
}
