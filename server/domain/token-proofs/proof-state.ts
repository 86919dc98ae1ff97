import type { AnsweredCall, Block, Proof, ReasonCode, Verdict } from '#contract/token-proofs/proof.ts'
import type { ShownReason } from '#contract/token-proofs.ts'

/** How long a verdict stays valid while the chain cannot be asked. It survives only a short outage. */
const VERDICT_LIFETIME_SECONDS = 5 * 60
/** How far a node may lag behind the database's clock. */
const MAX_BLOCK_AGE_SECONDS = 60 * 60
/** How long checks of a proven claim may be inconclusive before administrators get an email. */
const NOTIFY_AFTER_SECONDS = 60 * 60
/** Administrators get at most two emails about a token claim in this time. Further changes wait. */
const NOTICE_PERIOD_SECONDS = 60 * 60
/** The shortest time between two rows of the history that differ only in their answers. */
const ANSWER_PERIOD_SECONDS = 60 * 60

/** How far a recorded moment may be ahead of the clock. A replica's clock may be a little behind. */
export const MAX_AHEAD_SECONDS = 60

export type Outcome = {
  verdict: Verdict
  reason: ShownReason
  asked: readonly AnsweredCall[]
  block: number | null
}

/** The state of a token claim. Moments are seconds since 1970 by the database's clock. */
export type ProofState = {
  /** The newest check that came to a conclusion: `proven` or `not_so`. */
  conclusion: Outcome | null
  concludedAt: number | null
  /** The newest check, if it came to no conclusion. */
  inconclusive: Outcome | null
  /** The verdict that administrators were last notified of, and when the last two emails were queued. */
  notifiedVerdict: Verdict | null
  notifiedAt: number | null
  previouslyNotifiedAt: number | null
}

export const INITIAL_STATE: ProofState = {
  conclusion: null,
  concludedAt: null,
  inconclusive: null,
  notifiedVerdict: null,
  notifiedAt: null,
  previouslyNotifiedAt: null,
}

/** Also takes a check for inconclusive if its block is old, or older than that of the last conclusion. */
export function applyCheck(state: ProofState, proof: Proof, block: Block | null, now: number): ProofState {
  const outcome = { ...proof, block: block?.number ?? null }
  if (proof.verdict === 'could_not_check') return { ...state, inconclusive: outcome }
  const doubt = reasonForDoubt(state, block, now)
  if (doubt) return { ...state, inconclusive: { ...outcome, verdict: 'could_not_check', reason: doubt } }
  return { ...state, conclusion: outcome, concludedAt: now, inconclusive: null }
}

function reasonForDoubt(state: ProofState, block: Block | null, now: number): ShownReason | undefined {
  if (!block) return { code: 'not_checked' }
  if (now - block.time > MAX_BLOCK_AGE_SECONDS)
    return { code: 'old_block', block: block.number, time: block.time }
  // Nodes behind one URL may be a few blocks apart. After the verdict has expired, a lower block means that
  // the chain was reset.
  const isOlder = block.number < (state.conclusion?.block ?? 0)
  return isOlder && isConclusionValid(state, now) ? { code: 'heads_differ', block: block.number } : undefined
}

/** Reasons that say nothing about the token, because the node gave no usable answer. */
const OUTAGES: ReadonlySet<ShownReason['code']> = new Set<ReasonCode | 'old_block' | 'not_checked'>([
  'no_answer',
  'odd_answer',
  'heads_differ',
  'other_chain',
  'no_simulation',
  'roles_unread',
  'old_block',
  'not_checked',
])

export const isOutage = ({ code }: ShownReason): boolean => OUTAGES.has(code)

/**
 * The newest conclusion, until a newer answer of the chain is inconclusive. If the chain cannot be asked or
 * the checks have stopped, the conclusion is shown for {@link VERDICT_LIFETIME_SECONDS}.
 */
export function shownOf(state: ProofState, now: number): Outcome {
  const { conclusion, inconclusive } = state
  const isEnded = inconclusive !== null && !isOutage(inconclusive.reason)
  if (conclusion && isConclusionValid(state, now) && !isEnded) return conclusion
  return inconclusive ?? NOT_CHECKED
}

const NOT_CHECKED: Outcome = {
  verdict: 'could_not_check',
  reason: { code: 'not_checked' },
  asked: [],
  block: null,
}

const isConclusionValid = ({ concludedAt }: ProofState, now: number) =>
  concludedAt !== null && !isAhead(concludedAt, now) && now - concludedAt <= VERDICT_LIFETIME_SECONDS

/** Whether a moment was recorded before the clock was set back. */
const isAhead = (at: number, now: number) => at - now > MAX_AHEAD_SECONDS

/** A row of the history. `at` is when it was first shown. */
export type Change = Pick<Outcome, 'verdict' | 'reason'> & { at: number }

/** Whether the history gets a row. It gets new verdicts at once, but new answers at most once an hour. */
export function isChange(last: Change | undefined, shown: Outcome, now: number): boolean {
  if (!last || last.verdict !== shown.verdict) return true
  return now - last.at >= ANSWER_PERIOD_SECONDS && answerKey(last.reason) !== answerKey(shown.reason)
}

/** Ignores details that do not matter to a reader. For example, a pool's share changes with every trade. */
function answerKey(reason: ShownReason): string {
  return JSON.stringify(reason, (name, value: unknown) =>
    ['shareBps', 'failure', 'answered', 'answer', 'block', 'time'].includes(name) ? undefined : value,
  )
}

/**
 * Determines whether to notify administrators now: of a changed verdict at once, but of `could_not_check`
 * only if the claim was proven, and after {@link NOTIFY_AFTER_SECONDS} without a conclusion.
 * @returns the state after the notice and the verdict before it. `before` is null for the first verdict,
 *   which is not a change. Undefined if nothing has changed or the email has to wait.
 */
export function findNotice(
  state: ProofState,
  now: number,
): { state: ProofState; before: Verdict | null } | undefined {
  const { verdict } = shownOf(state, now)
  const { notifiedVerdict, notifiedAt, previouslyNotifiedAt, concludedAt } = state
  if (verdict === notifiedVerdict) return undefined
  if (verdict === 'could_not_check') {
    const isLongAgo = concludedAt !== null && now - concludedAt >= NOTIFY_AFTER_SECONDS
    if (notifiedVerdict !== 'proven' || !isLongAgo) return undefined
  }
  if (notifiedVerdict === null) return { state: { ...state, notifiedVerdict: verdict }, before: null }
  const mayNotify =
    previouslyNotifiedAt === null ||
    isAhead(previouslyNotifiedAt, now) ||
    now - previouslyNotifiedAt >= NOTICE_PERIOD_SECONDS
  if (!mayNotify) return undefined
  return {
    state: { ...state, notifiedVerdict: verdict, notifiedAt: now, previouslyNotifiedAt: notifiedAt },
    before: notifiedVerdict,
  }
}
