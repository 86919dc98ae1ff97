import type { Hex } from './abi.ts'
import { type Answer, dataOf, Inconclusive, toAnsweredCall, Unusable } from './answers.ts'
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
import { PROOF_CLAIMS, type Proof, type ProofClaim, type Reason, type TokenCheck, VERDICTS } from './proof.ts'
import { openReader, type Reader, toQuantity } from './reader.ts'
import type { Rpc, RpcCall } from './rpc.ts'
import type { TokenSubject } from './subject.ts'
import { judgeSupply, supplyCalls } from './supply.ts'
import { judgeTax, type Market, routerCalls } from './tax.ts'

/** How many blocks back a second attempt reads, where nodes behind one address were not at the same block. */
const LAG = 3

/**
 * Checks on the chain what the campaign states about its token, in about five requests. All answers are of one block.
 * Whatever is unexpected gives `could_not_check`: `proven` needs an answer for each of its parts. Runs in the browser
 * as on the server.
 * @param rpc of any chain; the chain id is checked beside every answer.
 * @param randomAddress an address that no token knows.
 */
export async function checkToken(
  rpc: Rpc,
  subject: TokenSubject,
  randomAddress: () => Hex = drawAddress,
): Promise<TokenCheck> {
  if (subject.isPlaceholder) return withoutVerdicts({ code: 'placeholder' })
  const attempt = async (behind: number) =>
    judgeAll(await openReader(rpc, subject.chainId, behind), subject, randomAddress)
  try {
    return await attempt(0).catch((error: unknown) => {
      if (error instanceof Unusable && error.reason.code === 'heads_differ') return attempt(LAG)
      throw error
    })
  } catch (error) {
    if (error instanceof Unusable) return withoutVerdicts(error.reason)
    throw error
  }
}

function withoutVerdicts(reason: Reason): TokenCheck {
  const proofs = PROOF_CLAIMS.map((claim) => ({ claim, verdict: VERDICTS[reason.code], reason, asked: [] }))
  return { block: null, proofs }
}

function drawAddress(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

type RecordAnswers = (answers: readonly Answer[]) => void

async function judgeAll(
  reader: Reader,
  subject: TokenSubject,
  randomAddress: () => Hex,
): Promise<TokenCheck> {
  const token = subject.token.toLowerCase()
  const venues = subject.markets && venuesOf(subject.markets, subject.coin)
  const facts = await readFacts(reader, token, venues)
  const code = [facts.code]
  const scan = memoize(() => readScan(facts.code))
  const market = venues && memoize(() => readMarket(reader, token, venues, facts))
  const proofs = [
    await judge('chain', async (recordAnswers) => {
      recordAnswers([chainAnswer(subject), ...code])
      return judgeChain(facts.code, subject)
    }),
    await judge('ownership', async (recordAnswers) => {
      recordAnswers([...facts.owners, ...facts.slots, ...code])
      const burnAddresses = venues?.burnAddresses ?? []
      return judgeOwnership(scan(), facts, burnAddresses, () => findRole(reader, token, recordAnswers))
    }),
    await judge('supply', async (recordAnswers) => {
      recordAnswers([facts.supply, facts.decimals, ...code])
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
  Record<'slots' | 'owners' | 'routers' | 'pools', readonly Answer[]>

/** All that can be asked without knowing an answer. */
async function readFacts(reader: Reader, token: Hex, venues: Venues | undefined): Promise<Facts> {
  const code: RpcCall = { method: 'eth_getCode', params: [token, reader.tag] }
  const groups = [
    [code],
    supplyCalls(reader, token),
    proxyCalls(reader, token),
    ownerCalls(reader, token),
    venues ? routerCalls(reader, venues) : [],
    venues ? poolCalls(reader, token, venues) : [],
  ]
  const answers = await reader.read(groups.flat())
  let next = 0
  const [codes, numbers, slots, owners, routers, pools] = groups.map(({ length }) =>
    answers.slice(next, (next += length)),
  )
  const [decimals, supply] = numbers ?? []
  if (!codes?.[0] || !decimals || !supply || !slots || !owners || !routers || !pools)
    throw new Error('A call without an answer')
  return { code: codes[0], decimals, supply, slots, owners, routers, pools }
}

/** Shared by claims: computed at the first need, with the same result or the same error afterwards. */
function memoize<T>(compute: () => T): () => T {
  let kept: { value: T } | undefined
  return () => (kept ??= { value: compute() }).value
}

/** @throws {Inconclusive} */
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
  const places = readPoolLocations(pools, venues)
  const calls = depthCalls(reader, places, venues)
  const answers = calls.length === 0 ? [] : await reader.read(calls)
  return { token, venues, places, routers, answers, depths: readDepths(answers, places, token, venues) }
}

/** What every request has asked before anything else. */
function chainAnswer({ chainId }: TokenSubject): Answer {
  return { call: { method: 'eth_chainId', params: [] }, reply: { result: toQuantity(chainId) } }
}

function judgeChain(answer: Answer, { chainId }: TokenSubject): Reason {
  const bytes = (dataOf(answer).length - 2) / 2
  return bytes === 0 ? { code: 'no_code', chainId } : { code: 'right_chain', chainId, bytes }
}

async function judge(
  claim: ProofClaim,
  run: (recordAnswers: RecordAnswers) => Promise<Reason>,
): Promise<Proof> {
  const answers: Answer[] = []
  const reason = await run((more) => void answers.push(...more)).catch((error: unknown) => {
    if (error instanceof Inconclusive) return error.reason
    throw error
  })
  return { claim, verdict: VERDICTS[reason.code], reason, asked: answers.map(toAnsweredCall) }
}
