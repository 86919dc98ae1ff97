import type { Hex } from './abi.ts'
import { type Answer, dataOf, Inconclusive, toAnsweredCall, Unusable } from './rpc-answers.ts'
import { type CodeScan, scanCode } from './code.ts'
import {
  depthCalls,
  judgeLiquidity,
  poolCalls,
  readDepths,
  readPoolLocations,
  type Venues,
  venuesOf,
} from './liquidity.ts'
import { findRole, judgeOwnership, ownerCalls, proxyCalls } from './ownership.ts'
import {
  PROOF_CLAIMS,
  type Proof,
  type ProofClaim,
  type Reason,
  type TokenCheck,
  VERDICT_OF,
} from './proof.ts'
import { openReader, type Reader, type RecordAnswers, toQuantity } from './reader.ts'
import type { Rpc, RpcCall } from './rpc.ts'
import type { TokenSubject } from './subject.ts'
import { judgeSupply, supplyCalls } from './supply.ts'
import { judgeTax, type Market, routerCalls } from './tax.ts'

/** How many blocks back the second try reads, if nodes behind one URL answered from different blocks. */
const LAG_BLOCKS = 3

/**
 * Checks on the chain what the campaign states about its token, in about five requests. All answers are from
 * one block. Anything unexpected leads to `could_not_check`; `proven` requires an answer to every question.
 * Runs in the browser and on the server.
 * @param rpc may be of any chain: every request also asks for the chain id.
 * @param randomAddress draws an address that has never held the token.
 */
export async function checkToken(
  rpc: Rpc,
  subject: TokenSubject,
  randomAddress: () => Hex = drawAddress,
): Promise<TokenCheck> {
  if (subject.isPlaceholder) return couldNotCheck({ code: 'placeholder' })
  const attempt = async (blocksBehind: number) =>
    judgeAll(await openReader(rpc, subject.chainId, blocksBehind), subject, randomAddress)
  try {
    return await attempt(0).catch((error: unknown) => {
      if (error instanceof Unusable && error.reason.code === 'heads_differ') return attempt(LAG_BLOCKS)
      throw error
    })
  } catch (error) {
    if (error instanceof Unusable) return couldNotCheck(error.reason)
    throw error
  }
}

function couldNotCheck(reason: Reason): TokenCheck {
  const proofs = PROOF_CLAIMS.map((claim) => ({ claim, verdict: VERDICT_OF[reason.code], reason, asked: [] }))
  return { block: null, proofs }
}

function drawAddress(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

async function judgeAll(
  reader: Reader,
  subject: TokenSubject,
  randomAddress: () => Hex,
): Promise<TokenCheck> {
  const token = subject.token.toLowerCase()
  const venues = subject.markets && venuesOf(subject.markets, subject.coin)
  const facts = await readFacts(reader, token, venues)
  // Throws if the token has no code. Every judgment that needs a contract calls it, if only for that.
  const scan = memoize(() => readScan(facts.code))
  const market = venues && memoize(() => readMarket(reader, token, venues, facts))
  const proofs = [
    await judge('chain', async (recordAnswers) => {
      recordAnswers([chainAnswer(subject), facts.code])
      return judgeChain(facts.code, subject)
    }),
    await judge('ownership', async (recordAnswers) => {
      recordAnswers([...facts.owners, ...facts.proxySlots, facts.code])
      const burnAddresses = venues?.burnAddresses ?? []
      return judgeOwnership(scan(), facts, burnAddresses, () => findRole(reader, token, recordAnswers))
    }),
    await judge('supply', async (recordAnswers) => {
      recordAnswers([facts.supply, facts.decimals, facts.code])
      return judgeSupply(scan(), facts, subject)
    }),
    await judge('liquidity', async (recordAnswers) => {
      scan()
      if (!market || !venues) return { code: 'no_markets' }
      recordAnswers(facts.pools)
      const { depths, answers } = await market()
      recordAnswers(answers)
      return judgeLiquidity(depths, venues)
    }),
    await judge('tax', async (recordAnswers) => {
      scan()
      if (!market) return { code: 'no_markets' }
      return judgeTax(reader, await market(), randomAddress, recordAnswers)
    }),
  ]
  return { block: reader.block, proofs }
}

type Facts = Record<'code' | 'decimals' | 'supply', Answer> &
  Record<'proxySlots' | 'owners' | 'routers' | 'pools', readonly Answer[]>

/** Everything that can be asked at once, because it depends on no other answer. */
async function readFacts(reader: Reader, token: Hex, venues: Venues | undefined): Promise<Facts> {
  const calls = {
    code: [{ method: 'eth_getCode', params: [token, reader.tag] }],
    amounts: supplyCalls(reader, token),
    proxySlots: proxyCalls(reader, token),
    owners: ownerCalls(reader, token),
    routers: venues ? routerCalls(reader, venues) : [],
    pools: venues ? poolCalls(reader, token, venues) : [],
  } satisfies Record<string, RpcCall[]>
  // The answers are in the order of the calls.
  const remaining = await reader.read(Object.values(calls).flat())
  const groups = Object.entries(calls).map(([name, { length }]) => [name, remaining.splice(0, length)])
  const answers = Object.fromEntries(groups) as Record<keyof typeof calls, Answer[]>
  const { code: codes, amounts, ...lists } = answers
  const [code] = codes
  const [decimals, supply] = amounts // In the order of `supplyCalls`.
  if (!code || !decimals || !supply) throw new Error('A call without an answer')
  return { code, decimals, supply, ...lists }
}

/** Computes once, when first needed, even if the value is undefined. A rejected promise stays rejected. */
function memoize<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

/** @throws {Inconclusive} if the code could not be read, or there is none at the address. */
function readScan(answer: Answer): CodeScan {
  const code = dataOf(answer)
  if (code === '0x') throw new Inconclusive({ code: 'nothing_there' })
  return scanCode(code)
}

async function readMarket(
  reader: Reader,
  token: Hex,
  venues: Venues,
  { pools, routers }: Facts,
): Promise<Market & { answers: readonly Answer[] }> {
  const locations = readPoolLocations(pools, venues)
  const calls = depthCalls(reader, locations, venues)
  const answers = calls.length === 0 ? [] : await reader.read(calls)
  return { token, venues, locations, routers, answers, depths: readDepths(answers, locations, token, venues) }
}

/** Recreates the answer that names the chain, which the reader checks in each request but does not return. */
function chainAnswer({ chainId }: TokenSubject): Answer {
  return { call: { method: 'eth_chainId', params: [] }, reply: { result: toQuantity(chainId) } }
}

function judgeChain(answer: Answer, { chainId }: TokenSubject): Reason {
  const bytes = (dataOf(answer).length - 2) / 2
  return bytes === 0 ? { code: 'no_code', chainId } : { code: 'right_chain', chainId, bytes }
}

async function judge(
  claim: ProofClaim,
  findReason: (recordAnswers: RecordAnswers) => Promise<Reason>,
): Promise<Proof> {
  const answers: Answer[] = []
  const recordAnswers: RecordAnswers = (recorded) => answers.push(...recorded)
  const reason = await findReason(recordAnswers).catch((error: unknown) => {
    if (error instanceof Inconclusive) return error.reason
    throw error
  })
  return { claim, verdict: VERDICT_OF[reason.code], reason, asked: answers.map(toAnsweredCall) }
}
