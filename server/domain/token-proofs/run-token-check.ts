import type { TokenCheck } from '#contract/token-proofs/proof.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { describeRpcFailure } from '../chain/rpc.ts'
import { announce } from '../events/announce.ts'
import { notifyOfVerdictChanges, type VerdictChange } from './notify-of-verdict-changes.ts'
import { applyCheck, findNotice, INITIAL_STATE, isChange, isOutage, shownOf } from './proof-state.ts'
import {
  addChange,
  beginCheck,
  type CheckId,
  endCheck,
  readChanges,
  readProofStates,
  tokenKey,
  writeProofState,
} from './records.ts'

export type AskChain = () => Promise<TokenCheck>

type CheckDeps = Pick<Deps, 'db' | 'campaign' | 'log'>

/**
 * Asks the chain, unless a node of this site has asked within the last minute, and stores the answer. If a
 * node exits while it waits for the answer, the next check begins after that minute.
 * @param stop ends the wait for the chain. Then nothing is stored.
 */
export async function runTokenCheck(deps: CheckDeps, askChain: AskChain, stop?: AbortSignal): Promise<void> {
  const token = tokenKey(deps.campaign)
  const id = await beginCheck(deps.db, token)
  if (id === undefined || stop?.aborted) return
  const check = await waitUnlessStopped(askChain(), stop)
  if (!check) return
  logOutage(deps.log, check)
  await inTransaction(deps.db, (tx) => writeCheck(tx, deps, { token, id, check }))
}

/** Leaves out the message of the RPC node, which may contain the operator's key to that node. */
function logOutage(log: Deps['log'], { proofs }: TokenCheck): void {
  const failed = proofs.filter(({ reason }) => isOutage(reason))
  const [first] = failed
  if (!first) return
  const answer = 'failure' in first.reason ? describeRpcFailure(first.reason.failure) : undefined
  const claims = failed.map(({ claim }) => claim)
  log.warn({ claims, reason: first.reason.code, answer }, 'the chain could not be asked about the token')
}

async function waitUnlessStopped<T>(answer: Promise<T>, stop?: AbortSignal): Promise<T | undefined> {
  const stopped = Promise.withResolvers<undefined>()
  const onStop = () => stopped.resolve(undefined)
  stop?.addEventListener('abort', onStop)
  try {
    return await Promise.race([answer, stopped.promise])
  } finally {
    stop?.removeEventListener('abort', onStop)
  }
}

type FinishedCheck = { token: string; id: CheckId; check: TokenCheck }

async function writeCheck(tx: Tx, deps: CheckDeps, { token, id, check }: FinishedCheck): Promise<void> {
  const now = await endCheck(tx, token, id)
  if (now === undefined) return // another check has begun meanwhile
  const states = await readProofStates(tx, token)
  const lastChanges = new Map((await readChanges(tx, token, 1)).map((change) => [change.claim, change]))
  const toNotify: VerdictChange[] = []
  for (const proof of check.proofs) {
    const { claim } = proof
    const state = applyCheck(states.get(claim) ?? INITIAL_STATE, proof, check.block, now)
    const notice = findNotice(state, now)
    await writeProofState(tx, token, claim, notice?.state ?? state)
    const shown = shownOf(state, now)
    if (isChange(lastChanges.get(claim), shown, now)) await addChange(tx, token, { ...shown, claim })
    if (notice?.before)
      toNotify.push({ claim, before: notice.before, shown, concludedAt: state.concludedAt ?? now })
  }
  await notifyOfVerdictChanges(tx, deps.campaign, toNotify)
  await announce(tx, 'proofs')
}
