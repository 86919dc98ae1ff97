import type { CampaignFile } from '#contract/campaign-file.ts'
import { bodyOf, type RpcFailure, type RpcReply } from '#contract/token-proofs/rpc.ts'
import { createRpc, describeRpcFailure } from '#server/domain/chain/rpc.ts'
import { isObject, resultOf, toNumber } from '#server/domain/chain/rpc-values.ts'
import { PAUSED } from '#server/platform/outbound/http-client.ts'
import { couldNotTell, explainFailure, type Finding, judged, wrong } from '../finding.ts'
import { type Check, onCampaign, type Subject } from '../subject.ts'
import { durationOf, linesOf } from '../texts.ts'

const say = linesOf('chain')
export const NEWEST_BLOCK = { method: 'eth_getBlockByNumber', params: ['latest', false] }
const CHAIN_ID = { method: 'eth_chainId', params: [] }
/** A block without calls. A node that supports simulation answers with any result. */
const SIMULATION = { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls: [] }] }, 'latest'] }
const MAX_BLOCK_AGE_SECONDS = 10 * 60

export const chain: Check = {
  name: 'chain',
  reads: ['CHAIN_RPC_URL'],
  examine: (subject) => onCampaign(subject, (campaign) => examine(subject, campaign)),
}

async function examine(
  { http, environment, now }: Subject,
  { chain: { id, name } }: CampaignFile,
): Promise<Finding> {
  const url = environment.config.chainRpcUrl
  const rpc = createRpc(http, url)
  const [idReply, newestReply] = await rpc([CHAIN_ID, NEWEST_BLOCK])
  if (!idReply || 'failure' in idReply) return judgeFailure(idReply?.failure ?? { kind: 'garbage' }, url)
  const foundId = toNumber(idReply.result)
  if (foundId === undefined)
    return couldNotTell(say('oddId', { id: JSON.stringify(idReply.result).slice(0, 60) }))
  if (foundId !== id) return wrong([say('otherChain', { found: foundId, wanted: id })])
  const block = readBlock(newestReply)
  if (!block) return couldNotTell(say('noBlock'))
  const ageSeconds = now() / 1_000 - block.timestamp
  const [[simulated], batch] = await Promise.all([
    rpc([SIMULATION]),
    // Not with `rpc`, which makes its calls one by one if the node refuses a batch.
    http.request(url, { method: 'POST', body: [CHAIN_ID, CHAIN_ID].map(bodyOf) }),
  ])
  const newestBlock = { block: block.number, name, id, age: durationOf(Math.max(0, ageSeconds)) }
  return judged(
    ageSeconds > MAX_BLOCK_AGE_SECONDS ? [say('old', { age: durationOf(ageSeconds) })] : [],
    say('fine', newestBlock),
    [
      ...('answer' in batch && Array.isArray(batch.answer) ? [] : [say('noBatch')]),
      ...(simulated && 'result' in simulated ? [] : [say('noSimulation')]),
    ],
  )
}

/** Not a fault: a node that is busy, limits our calls, or is not asked for a while. It may work later. */
function judgeFailure(failure: RpcFailure, url: string): Finding {
  if (failure.kind === 'unreachable' && failure.detail === PAUSED) return couldNotTell(say('paused'))
  if (failure.kind === 'unreachable') {
    const why = explainFailure(failure.detail, { host: new URL(url).host, setting: 'CHAIN_RPC_URL' })
    if (why) return wrong([say('unreachable', { why })])
  }
  return failure.kind === 'status' && (failure.status === 429 || failure.status >= 500)
    ? couldNotTell(say('limited', { status: failure.status }))
    : wrong([say('failed', { reason: describeRpcFailure(failure) })])
}

/** Number and time (seconds since 1970) of a block; undefined for anything else. */
export function readBlock(reply: RpcReply | undefined): { number: number; timestamp: number } | undefined {
  const block = resultOf(reply)
  if (!isObject(block)) return undefined
  const [number, timestamp] = [toNumber(block['number']), toNumber(block['timestamp'])]
  return number === undefined || timestamp === undefined ? undefined : { number, timestamp }
}
