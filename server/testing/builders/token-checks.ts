import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import {
  PROOF_CLAIMS,
  type ProofClaim,
  type Reason,
  type TokenCheck,
  VERDICT_OF,
} from '#contract/token-proofs/proof.ts'
import type { Database } from '#server/platform/database/database.ts'
import defaultCampaign from '../campaign.ts'

/** The tests' campaign, as if its token existed. */
export const REAL_TOKEN: CampaignFile = {
  ...defaultCampaign,
  token: { ...defaultCampaign.token, placeholder: false },
}

/** The check of an honest token, with `changes` for some claims. */
export function checkAt(block: number, changes: Partial<Record<ProofClaim, Reason>> = {}): TokenCheck {
  const reasons = { ...HONEST, ...changes }
  return {
    block: { number: block, hash: `0x${'0'.repeat(64)}`, time: Math.floor(Date.now() / 1_000) },
    proofs: PROOF_CLAIMS.map((claim) => ({
      claim,
      verdict: VERDICT_OF[reasons[claim].code],
      reason: reasons[claim],
      asked: [{ method: 'eth_call', params: [{ to: '0x1', data: '0x2' }, 'latest'], answer: '"0x"' }],
    })),
  }
}

const TRADE = { exchange: 'PulseX V1', quote: 'WPLS', method: 'simulation' } as const
const POOL = {
  exchange: 'PulseX V1',
  quote: 'WPLS',
  address: `0x${'7'.repeat(40)}`,
  burnedBps: 10_000,
  shareBps: 10_000,
}

const HONEST: Record<ProofClaim, Reason> = {
  chain: { code: 'right_chain', chainId: 369, bytes: 4_242 },
  ownership: { code: 'renounced', owner: null },
  supply: { code: 'supply_as_stated', supply: `1${'0'.repeat(27)}`, decimals: 18 },
  liquidity: { code: 'burned', burnedBps: 10_000, pools: [POOL] },
  tax: { code: 'no_tax', ...TRADE },
}

export const OWNED: Reason = { code: 'owned', owner: `0x${'1'.repeat(40)}` }

export function checkWithoutAnswer(): TokenCheck {
  const failure = { kind: 'unreachable', detail: 'failed with ECONNREFUSED' } as const
  const reason: Reason = { code: 'no_answer', method: 'eth_chainId', failure }
  const { proofs } = checkAt(0)
  return { block: null, proofs: proofs.map((proof) => ({ ...proof, verdict: 'could_not_check', reason })) }
}

/** Moves the records of token checks into the past. */
export async function advanceChecks(db: Database, seconds: number): Promise<void> {
  const time = sql`make_interval(secs => ${seconds})`
  await sql`
    update token_checks set asked_at = asked_at - ${time}, answered_at = answered_at - ${time}`.execute(db)
  await sql`
    update token_proofs set concluded_at = concluded_at - ${time}, told_at = told_at - ${time},
      told_before_at = told_before_at - ${time}`.execute(db)
}
