import { createRpc } from '#server/domain/chain/rpc.ts'
import { couldNotTell, type Finding, judged } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'
import { durationOf, linesOf } from '../texts.ts'
import { NEWEST_BLOCK, readBlock } from './chain.ts'

const say = linesOf('clock')
const sayOfBrowser = linesOf('browserClock')
/** Between the database's clock, by which sessions expire, and ours, by which pages show times. */
const MAX_APART_SECONDS = 5
/** Some blocks have a time a little ahead of the moment at which they are made. */
const MAX_BEHIND_SECONDS = 30

export const clock: Check = {
  name: 'clock',
  reads: [],
  async examine(subject) {
    const [apart, behind] = await Promise.all([
      // If the query fails, the check of the database says why.
      secondsFromDatabase(subject).catch(() => undefined),
      secondsBehindChain(subject),
    ])
    if (apart === undefined && behind === undefined) return couldNotTell(say('alone'))
    let compared: 'both' | 'chain' | 'database' = 'both'
    if (apart === undefined) compared = 'chain'
    if (behind === undefined) compared = 'database'
    return judged(
      [
        ...(apart !== undefined && apart > MAX_APART_SECONDS
          ? [say('apart', { time: durationOf(apart) })]
          : []),
        ...(behind !== undefined && behind > MAX_BEHIND_SECONDS
          ? [say('behind', { time: durationOf(behind) })]
          : []),
      ],
      say('fine', { compared }),
    )
  },
}

/** The least by which the clocks differ: the database reads its clock between our question and its answer. */
async function secondsFromDatabase({ database, now }: Subject): Promise<number | undefined> {
  const reached = await database
  if (!('pool' in reached)) return undefined
  // The first query may open a connection, which must not count as part of the answer's time.
  await reached.pool.query('select')
  const askedAt = now()
  const { rows } = await reached.pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  )
  const answeredAt = now()
  const databaseTime = rows[0]?.now ?? answeredAt
  return Math.max(0, askedAt - databaseTime, databaseTime - answeredAt) / 1_000
}

/** How far this machine's clock is behind the chain's newest block. Usually negative. */
async function secondsBehindChain({ http, environment, now }: Subject): Promise<number | undefined> {
  const { config, unusable } = environment
  if (unusable.has('CHAIN_RPC_URL')) return undefined
  const [reply] = await createRpc(http, config.chainRpcUrl)([NEWEST_BLOCK])
  const block = readBlock(reply)
  return block && block.timestamp - now() / 1_000
}

/** Includes the duration of the request. Countdowns on pages are off by as much as the clocks differ. */
const MAX_BROWSER_APART_SECONDS = 30

/** Compares the browser's time when it sent a request with ours when the request arrived. */
export function judgeBrowserClock(browserMs: number, serverMs: number): Finding {
  const apart = Math.abs(browserMs - serverMs) / 1_000
  const isFar = apart > MAX_BROWSER_APART_SECONDS
  return judged(isFar ? [sayOfBrowser('apart', { time: durationOf(apart) })] : [], sayOfBrowser('fine'))
}
