import * as z from 'zod/mini'
import { PROOF_CLAIMS, type Reason, VERDICT_KINDS } from './token-proofs/proof.ts'
import { endpoint } from './protocol/endpoint.ts'

/** Why a proof is shown as it is: what the chain answered, or why its answer does not count. */
export type ShownReason =
  | Reason
  /** No check has reached a verdict yet, or the checks have stopped. */
  | { code: 'not_checked' }
  /** The node's newest block is too old. `time`: seconds since 1970. */
  | { code: 'old_block'; block: number; time: number }

/** A verdict that was shown, from `at` until the next verdict. */
const ShownVerdict = z.object({
  at: z.string(),
  verdict: z.enum(VERDICT_KINDS),
  answer: z.string(),
  block: z.nullable(z.number()),
})

const TokenProof = z.object({
  claim: z.enum(PROOF_CLAIMS),
  verdict: z.enum(VERDICT_KINDS),
  /** The code of the reason, for programs. */
  reason: z.string(),
  /** What the chain was asked, in words; `answer`: what it answered. */
  asked: z.string(),
  answer: z.string(),
  /** What the proof does not show. */
  limits: z.string(),
  /** The block that the answer is from; null without one. */
  block: z.nullable(z.number()),
  /** When the claim was last checked; null before the first check. */
  checkedAt: z.nullable(z.string()),
  /** The page of the chain's explorer with which visitors can compare the answer. */
  explorer: z.string(),
  /** The JSON-RPC calls that the verdict rests on, as they are sent. */
  calls: z.array(
    z.object({
      jsonrpc: z.string(),
      id: z.number(),
      method: z.string(),
      params: z.readonly(z.array(z.unknown())),
    }),
  ),
  /** Newest first. */
  history: z.array(ShownVerdict),
})
export type TokenProof = z.output<typeof TokenProof>

/** A proof whose reasons keep their values, from which each page makes sentences in its own language. */
export type ProofWithReasons = Omit<TokenProof, 'history'> & {
  fullReason: ShownReason
  history: (z.output<typeof ShownVerdict> & { fullReason: ShownReason })[]
}

export const tokenProofs = endpoint('GET /proofs', {
  access: 'public',
  cache: 'public',
  summary: 'What the chain says about the claims of the token: verdict, answer, block and history of each.',
  reply: z.object({ data: z.array(TokenProof) }),
})
