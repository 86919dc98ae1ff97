import { once } from 'node:events'
import type { TokenCheck } from '#contract/proofs/proof.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { describeRpcFailure } from '../chain/rpc.ts'
import { announce } from '../events/announce.ts'
import {
  addChange,
  endTurn,
  readChanges,
  readKnown,
  takeTurn,
  tokenKey,
  type Turn,
  writeKnown,
} from './records.ts'
import { isChange, isOutage, learn, NOTHING_KNOWN, shownOf, tell } from './rules.ts'
import { type News, tellAdministrators } from './tell-administrators.ts'

/** Asks the chain about all claims of the token. */
export type AskChain = () => Promise<TokenCheck>

type CheckDeps = Pick<Deps, 'db' | 'campaign' | 'log'>

/**
 * Asks the chain if nobody has for a minute, whichever node calls, and writes down what it says. A node that ends in
 * between holds up the others for no longer than that minute.
 * @param stop ends the wait for the chain; nothing is written then.
 */
export async function runTokenCheck(deps: CheckDeps, askChain: AskChain, stop?: AbortSignal): Promise<void> {
  const token = tokenKey(deps.campaign)
  const turn = await takeTurn(deps.db, token)
  if (turn === undefined || stop?.aborted) return
  const check = await untilStopped(askChain(), stop)
  if (!check) return
  logOutage(deps.log, check)
  await inTransaction(deps.db, (tx) => writeCheck(tx, deps, { token, turn, check }))
}

/** Warns the operator, who gets an email only after an hour. Leaves out the node's message, which may contain a key. */
function logOutage(log: Deps['log'], { proofs }: TokenCheck): void {
  const failed = proofs.filter(({ reason }) => isOutage(reason))
  const [first] = failed
  if (!first) return
  const answer = 'failure' in first.reason ? describeRpcFailure(first.reason.failure) : undefined
  const claims = failed.map(({ claim }) => claim)
  log.warn({ claims, reason: first.reason.code, answer }, 'the chain could not be asked about the token')
}

async function untilStopped<T>(answer: Promise<T>, stop: AbortSignal | undefined): Promise<T | undefined> {
  if (!stop) return answer
  const done = new AbortController()
  const stopped = once(stop, 'abort', { signal: done.signal }).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([answer, stopped])
  } finally {
    done.abort()
  }
}

type Written = { token: string; turn: Turn; check: TokenCheck }

async function writeCheck(tx: Tx, deps: CheckDeps, { token, turn, check }: Written): Promise<void> {
  const now = await endTurn(tx, token, turn)
  if (now === undefined) return
  const known = await readKnown(tx, token)
  const last = new Map((await readChanges(tx, token, 1)).map((change) => [change.claim, change]))
  const news: News[] = []
  for (const proof of check.proofs) {
    const { claim } = proof
    const learned = learn(known.get(claim) ?? NOTHING_KNOWN, proof, check.block, now)
    const told = tell(learned, now)
    await writeKnown(tx, token, claim, told?.known ?? learned)
    const shown = shownOf(learned, now)
    if (isChange(last.get(claim), shown, now)) await addChange(tx, token, { ...shown, claim })
    if (told?.before)
      news.push({ claim, before: told.before, shown, concludedAt: learned.concludedAt ?? now })
  }
  await tellAdministrators(tx, deps.campaign, news)
  await announce(tx, 'proofs')
}
