import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PROOF_CLAIMS, type ProofClaim } from '#contract/token-proofs/proof.ts'
import { bodyOf } from '#contract/token-proofs/rpc.ts'
import type { ProofWithReasons, ShownReason } from '#contract/token-proofs.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { answerOf, limitsOf, questionOf } from '#web/content/site/proofs.ts'
import { readChanges, readProofStates, type HistoryRow, tokenKey } from './records.ts'
import { type ProofState, INITIAL_STATE, type Outcome, shownOf } from './proof-state.ts'

/**
 * The proofs of all claims, in the order of PROOF_CLAIMS. Returns the same array until a check ends or a
 * reason changes. Never rejects.
 */
export type ReadProofs = () => Promise<readonly ProofWithReasons[]>

const HISTORY_LENGTH = 20

/**
 * Reads what the checks have found. While the database is unreachable, verdicts of the last reading still
 * expire on time.
 * @param monotonic a clock in milliseconds.
 */
export function createProofReader(
  { publicReads, campaign, log }: Pick<Deps, 'publicReads' | 'campaign' | 'log'>,
  monotonic = () => performance.now(),
): ReadProofs {
  if (campaign.token.placeholder) {
    const proofs = PROOF_CLAIMS.map((claim) => toProof(campaign, EMPTY_READING, claim, PLACEHOLDER))
    return () => Promise.resolve(proofs)
  }
  const token = tokenKey(campaign)
  let reading = EMPTY_READING
  let readAt = monotonic()
  let shown: { key: string; proofs: readonly ProofWithReasons[] } | undefined
  let pending: ReturnType<ReadProofs> | undefined
  const read = async () => {
    const began = monotonic()
    try {
      reading = await publicReads.read((db) => readAgain(db, token, reading))
      readAt = began
    } catch (error) {
      log.warn({ err: error }, 'the proofs could not be read')
    }
    const now = reading.now + (monotonic() - readAt) / 1_000 // By the database's clock.
    const outcomes = PROOF_CLAIMS.map(
      (claim) => [claim, shownOf(reading.states.get(claim) ?? INITIAL_STATE, now)] as const,
    )
    const key = JSON.stringify([reading.checkedAt, outcomes.map(([, { reason }]) => reason.code)])
    if (shown?.key !== key)
      shown = { key, proofs: outcomes.map(([claim, outcome]) => toProof(campaign, reading, claim, outcome)) }
    return shown.proofs
  }
  return () => {
    pending ??= read().finally(() => {
      pending = undefined
    })
    return pending
  }
}

export const PLACEHOLDER: Outcome = {
  verdict: 'could_not_check',
  reason: { code: 'placeholder' },
  asked: [],
  block: null,
}

/** Moments are seconds since 1970 by the database's clock. */
type Reading = {
  now: number
  /** When the newest check ended. Null before the first. */
  checkedAt: number | null
  states: ReadonlyMap<ProofClaim, ProofState>
  changes: readonly HistoryRow[]
}

const EMPTY_READING: Reading = { now: 0, checkedAt: null, states: new Map(), changes: [] }

/** Reads the database's clock. Reads everything else only if there was a new check. */
async function readAgain(db: Database, token: string, before: Reading): Promise<Reading> {
  const { rows } = await sql<Pick<Reading, 'now' | 'checkedAt'>>`
    select extract(epoch from now())::float8 as now,
      (select extract(epoch from answered_at)::float8 from token_checks where token = ${token})
      as "checkedAt"`.execute(db)
  const { checkedAt = null, now = 0 } = rows[0] ?? {}
  if (checkedAt === before.checkedAt) return { ...before, now }
  const states = await readProofStates(db, token)
  return { now, checkedAt, states, changes: await readChanges(db, token, HISTORY_LENGTH) }
}

function toProof(
  campaign: Pick<CampaignFile, 'token' | 'chain'>,
  reading: Reading,
  claim: ProofClaim,
  outcome: Outcome,
): ProofWithReasons {
  const state = reading.states.get(claim) ?? INITIAL_STATE
  // An inconclusive outcome always belongs to the newest check.
  const checkedAt = outcome === state.inconclusive ? reading.checkedAt : state.concludedAt
  const changes = reading.changes.filter((change) => change.claim === claim)
  return describeProof(campaign, { claim, outcome, checkedAt, changes })
}

type Proven = {
  claim: ProofClaim
  outcome: Outcome
  /** Seconds since 1970 by the database's clock. */
  checkedAt: number | null
  changes: readonly HistoryRow[]
}

export function describeProof(
  campaign: Pick<CampaignFile, 'token' | 'chain'>,
  { claim, outcome: { reason, verdict, block, asked }, checkedAt, changes }: Proven,
): ProofWithReasons {
  return {
    claim,
    verdict,
    reason: reason.code,
    fullReason: reason,
    asked: questionOf(claim, campaign),
    answer: answerOf(reason, campaign),
    limits: limitsOf(claim, reason),
    block,
    checkedAt: iso(checkedAt),
    explorer: `${campaign.chain.explorerUrl}/address/${firstPoolOf(reason) ?? campaign.token.contract}`,
    calls: asked.map(bodyOf),
    history: changes.map((change) => ({
      at: iso(change.at) ?? '',
      verdict: change.verdict,
      answer: answerOf(change.reason, campaign),
      fullReason: change.reason,
      block: change.block,
    })),
  }
}

/** The first pool that an answer is about. Undefined for an answer about the token's contract. */
const firstPoolOf = (reason: ShownReason) => ('pools' in reason ? reason.pools[0]?.address : undefined)

const iso = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString())
