import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Deps } from '#server/deps.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { openDatabase, openPool } from '#server/platform/database/database.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { testDeps } from '#server/testing/deps.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { NO_SERVICES } from '#server/testing/product.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { type NodeProcess, startNodeProcess } from './node-process.ts'
import { describeOutcomes, type Outcomes, runRound } from './rounds.ts'
import { createWorld, pick, type World } from './world.ts'

/**
 * `npm run chaos -- --minutes N [--seed S]`: runs random operations on two nodes that are killed at random,
 * and checks every invariant after each round. Exits with 1 if one is violated. Ctrl-C ends the run.
 */

const USAGE = 'Usage: npm run chaos -- --minutes N [--seed S]'
const OPERATIONS_PER_ROUND = 300
const AIRDROP = { slots: 14, referralsPaid: 2 }
const APP_SECRET = 'a secret of the chaos run, long enough to be one'

const options = readOptions()
if (options) await main(options)
else {
  console.error(USAGE)
  process.exitCode = 1
}
// Modules shared with the tests would otherwise report that no test has run.
process.exit()

type Options = { minutes: number; seed: number }

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
    const minutes = Number(values.minutes)
    const seed = Number(values.seed ?? Date.now() % 1_000_000)
    return minutes > 0 && Number.isInteger(seed) ? { minutes, seed } : undefined
  } catch {
    return undefined
  }
}

async function main({ minutes, seed }: Options): Promise<void> {
  const stop = new AbortController()
  // Ctrl-C arrives several times: from the terminal, and from the process that started this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  const scratch = await mkdtemp(path.join(tmpdir(), 'dropwright-chaos-'))
  const dataDir = path.join(scratch, 'database')
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const pool = openPool(postgres.url)
  const nodes: NodeProcess[] = []
  try {
    const campaignFile = path.join(scratch, 'campaign.json')
    const campaign = campaignWith(AIRDROP)
    await writeFile(campaignFile, JSON.stringify(campaign))
    const settings = { ...environment(postgres), CAMPAIGN_CONFIG: campaignFile }
    // One after the other, because the first node migrates the database.
    for (const name of ['one', 'two']) {
      nodes.push(await startNodeProcess({ ...settings, DATA_DIR: path.join(scratch, name) }))
      if (stop.signal.aborted) return
    }
    const deps = { ...(await testDeps(openDatabase(pool), campaign)), keys: deriveKeys(APP_SECRET) }
    const calls = nodes.map((node) => node.call)
    const world = await createWorld(deps, { nodes: calls, peopleCount: 8, seed })
    console.log(`${minutes} minutes, seed ${seed}`)
    const outcomes = await runRounds(world, deps, { minutes, nodes, campaignFile, signal: stop.signal })
    await assertSealed(deps.db)
    console.log(describeOutcomes(outcomes).join('\n'))
  } catch (error) {
    console.error(`The run failed (seed ${seed}):`, error)
    process.exitCode = 1
  } finally {
    // A node that did not start again has nothing to stop.
    await Promise.allSettled(nodes.map((node) => node.stop()))
    await pool.end()
    await postgres.stop()
    await removeEmbeddedPostgres(dataDir)
    await rm(scratch, { recursive: true, force: true })
  }
}

type Run = { minutes: number; nodes: readonly NodeProcess[]; campaignFile: string; signal: AbortSignal }

/** Runs at least one round, until the minutes are over or the signal aborts. */
async function runRounds(world: World, deps: Deps, run: Run): Promise<Outcomes> {
  const { minutes, nodes, campaignFile, signal } = run
  let { slots } = AIRDROP
  const addSlots = async (count: number) => {
    slots += count
    const campaign = campaignWith({ ...AIRDROP, slots })
    await writeFile(campaignFile, JSON.stringify(campaign))
    await syncCampaign(deps.db, campaign)
  }
  const injectFault = () => pick(world, nodes)?.crash() ?? Promise.resolve()
  const plan = { operationCount: OPERATIONS_PER_ROUND, addSlots, injectFault }
  const endsAt = performance.now() + minutes * 60_000
  const outcomes: Outcomes = new Map()
  for (let round = 1; !signal.aborted && (round === 1 || performance.now() < endsAt); round += 1) {
    await runRound(world, deps, plan, outcomes)
    console.log(`Round ${round}: ${world.people.length} participants, every invariant holds.`)
  }
  return outcomes
}

/** `TRUST_PROXY` lets each call come from another address. */
function environment({ url, ownerUrl }: { url: string; ownerUrl: string }): Record<string, string> {
  return {
    APP_SECRET,
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    LOG_LEVEL: 'fatal',
    TRUST_PROXY: 'loopback',
    ...NO_SERVICES,
  }
}
