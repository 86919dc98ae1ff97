import { createRpc } from '#server/domain/chain/rpc.ts'
import { couldNotTell, type Finding, judged } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'
import { lengthOf, linesOf } from '../texts.ts'
import { NEWEST_BLOCK, readBlock } from './chain.ts'

const say = linesOf('clock')
const sayOfBrowser = linesOf('browserClock')
/** Seconds. Codes and sessions expire by the database's clock, and pages show times by this machine's. */
const MAX_DIFFERENCE = 5
/** Seconds: a block is stamped a little ahead at times. */
const MAX_AHEAD = 30

export const clock: Check = {
  name: 'clock',
  needs: [],
  async examine(subject) {
    const [apart, ahead] = await Promise.all([
      // What is wrong with the database is said by its own check.
      fromDatabase(subject).catch(() => undefined),
      fromChain(subject),
    ])
    if (apart === undefined && ahead === undefined) return couldNotTell(say('alone'))
    return judged(
      [
        ...(apart !== undefined && apart > MAX_DIFFERENCE ? [say('apart', { time: lengthOf(apart) })] : []),
        ...(ahead !== undefined && ahead > MAX_AHEAD ? [say('behind', { time: lengthOf(ahead) })] : []),
      ],
      say('fine', { compared: apart === undefined ? 'chain' : ahead === undefined ? 'database' : 'both' }),
    )
  },
}

/** Seconds by which the clocks differ at least: the answer was made at some moment between asking and hearing. */
async function fromDatabase({ database, now }: Subject): Promise<number | undefined> {
  const reached = await database
  if (!('pool' in reached)) return undefined
  // The first query may open a connection.
  await reached.pool.query('select')
  const asked = now()
  const { rows } = await reached.pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  )
  const heard = now()
  const theirs = rows[0]?.now ?? heard
  return Math.max(0, asked - theirs, theirs - heard) / 1_000
}

/** Seconds by which the chain's newest block is ahead; below zero as a rule. */
async function fromChain({ http, environment, now }: Subject): Promise<number | undefined> {
  const { config, unusable } = environment
  if (unusable.has('CHAIN_RPC_URL')) return undefined
  const [reply] = await createRpc(http, config.chainRpcUrl)([NEWEST_BLOCK])
  const block = reply && 'result' in reply ? readBlock(reply.result) : undefined
  return block && block.timestamp - now() / 1_000
}

/** Seconds, which include the time that the request took. Countdowns on pages are off by as much. */
const MAX_BROWSER_DIFFERENCE = 30

/** Both since 1970: by the browser’s clock when it asked, by this machine’s when the request arrived. */
export function judgeBrowserClock(browserMs: number, serverMs: number): Finding {
  const apart = Math.abs(browserMs - serverMs) / 1_000
  const problems = apart > MAX_BROWSER_DIFFERENCE ? [sayOfBrowser('apart', { time: lengthOf(apart) })] : []
  return judged(problems, sayOfBrowser('fine'))
}
