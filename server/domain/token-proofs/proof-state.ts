import type { AnsweredCall, Block, Proof, ReasonCode, Verdict } from '#contract/token-proofs/proof.ts'
import type { ShownReason } from '#contract/token-proofs.ts'

/** How long a verdict stands while the chain cannot be asked. It survives a short outage, but no long one. */
const VERDICT_LIFETIME_SECONDS = 5 * 60
/** How far a node may lag behind the database's clock. */
const MAX_BLOCK_AGE_SECONDS = 60 * 60
/** How long a proven claim may be without a conclusion until administrators get an email. */
const NOTIFY_AFTER_SECONDS = 60 * 60
/**
 * The time in which administrators get at most two emails about a token claim: about a change, and about the
 * change back. Later changes wait.
 */
const NOTICE_PERIOD_SECONDS = 60 * 60
/** The shortest time between two rows of the history that have the same verdict and different answers. */
const ANSWER_PERIOD_SECONDS = 60 * 60

/** How far a recorded moment may be ahead of the clock, as a replica's clock may be a little behind. */
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
  /** The newest check, if it came to none. */
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

/** Adds the newest check. It is inconclusive if its block is old, or older than the last conclusion's. */
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
  // Nodes behind one address may be blocks apart. If the verdict has expired meanwhile, the chain must have
  // been reset.
  const isOlder = block.number < (state.conclusion?.block ?? 0)
  return isOlder && stands(state, now) ? { code: 'heads_differ', block: block.number } : undefined
}

/** Reasons that say nothing about the token: the node could not be asked, or answered nonsense. */
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
 * What is shown: the newest conclusion while it stands. A newer answer of the chain that allows no conclusion
 * ends it at once; if the chain cannot be asked or the checks have stopped, it stands for
 * {@link VERDICT_LIFETIME_SECONDS}.
 */
export function shownOf(state: ProofState, now: number): Outcome {
  const { conclusion, inconclusive } = state
  const isEnded = inconclusive !== null && !isOutage(inconclusive.reason)
  if (conclusion && stands(state, now) && !isEnded) return conclusion
  return inconclusive ?? NOT_CHECKED
}

const NOT_CHECKED: Outcome = {
  verdict: 'could_not_check',
  reason: { code: 'not_checked' },
  asked: [],
  block: null,
}

const stands = ({ concludedAt }: ProofState, now: number) =>
  concludedAt !== null && !isAhead(concludedAt, now) && now - concludedAt <= VERDICT_LIFETIME_SECONDS

/** Whether a moment was recorded before the clock was set back. */
const isAhead = (at: number, now: number) => at - now > MAX_AHEAD_SECONDS

/** A verdict of the history, and since when it was shown. */
export type Change = Pick<Outcome, 'verdict' | 'reason'> & { at: number }

/** Whether the history gets a row: for a new verdict at once, for a new answer at most once an hour. */
export function isChange(last: Change | undefined, shown: Outcome, now: number): boolean {
  if (!last || last.verdict !== shown.verdict) return true
  return now - last.at >= ANSWER_PERIOD_SECONDS && answerKey(last.reason) !== answerKey(shown.reason)
}

/** Equal for answers that a reader would take for the same. A pool's share moves with every trade. */
function answerKey(reason: ShownReason): string {
  return JSON.stringify(reason, (name, value: unknown) =>
    ['shareBps', 'failure', 'answered', 'answer', 'block', 'time'].includes(name) ? undefined : value,
  )
}

/**
 * What administrators are to be notified of now: a changed verdict at once, but the end of a proof only after
 * {@link NOTIFY_AFTER_SECONDS} without a conclusion.
 * @returns the state after the notice, and the verdict `before`, which is null for the first verdict: that is
 *   no change. Undefined if nothing has changed or the email has to wait.
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
