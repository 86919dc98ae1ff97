import type { AnsweredCall, Block, Proof, ReasonCode, Verdict } from '#contract/proofs/proof.ts'
import type { ShownReason } from '#contract/token-proofs.ts'

/** Seconds for which a verdict stands while the chain can't be asked: an outage may be short, a stamp not stale. */
export const STANDS_FOR = 5 * 60
/** Seconds by which a node may lag behind the database's clock. */
export const MAX_BLOCK_AGE = 60 * 60
/** Seconds without a verdict after which administrators get an email. */
export const TOLD_AFTER = 60 * 60
/** Seconds in which administrators get two emails about a claim: the change and its end. More changes wait. */
const QUIET = 60 * 60
/** Seconds between changes of the history that change the answer alone, and not the verdict. */
const ANSWER_EVERY = 60 * 60

/** The outcome of a check of one claim. */
export type Outcome = {
  verdict: Verdict
  reason: ShownReason
  asked: readonly AnsweredCall[]
  block: number | null
}

/** What is known of a claim. Moments are seconds since 1970 by the database's clock. */
export type Known = {
  /** The newest check with a verdict. */
  conclusion: Outcome | null
  concludedAt: number | null
  /** The newest check, if it came to no verdict. */
  trouble: Outcome | null
  /** The verdict that administrators know of, and when the last two emails about it were queued. */
  told: Verdict | null
  toldAt: number | null
  toldBeforeAt: number | null
}

export const NOTHING_KNOWN: Known = {
  conclusion: null,
  concludedAt: null,
  trouble: null,
  told: null,
  toldAt: null,
  toldBeforeAt: null,
}

/** Adds the newest check. An answer from before what is known, or of a node that lags, is no verdict. */
export function learn(known: Known, proof: Proof, block: Block | null, now: number): Known {
  const outcome = { ...proof, block: block?.number ?? null }
  if (proof.verdict === 'could_not_check') return { ...known, trouble: outcome }
  const doubt = doubtAbout(known, block, now)
  if (doubt) return { ...known, trouble: { ...outcome, verdict: 'could_not_check', reason: doubt } }
  return { ...known, conclusion: outcome, concludedAt: now, trouble: null }
}

function doubtAbout(known: Known, block: Block | null, now: number): ShownReason | undefined {
  if (!block) return { code: 'not_checked' }
  if (now - block.time > MAX_BLOCK_AGE) return { code: 'old_block', block: block.number, time: block.time }
  // Nodes behind one address differ by some blocks. After that time it is a chain that was reset.
  const isOlder = block.number < (known.conclusion?.block ?? 0)
  return isOlder && stands(known, now) ? { code: 'heads_differ', block: block.number } : undefined
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
 * What is shown: the newest verdict while it stands. It falls at once if the chain answers with something that allows
 * no verdict, and after {@link STANDS_FOR} seconds if the chain can't be asked or the checks have stopped.
 */
export function shownOf(known: Known, now: number): Outcome {
  const { conclusion, trouble } = known
  if (conclusion && stands(known, now) && (!trouble || isOutage(trouble.reason))) return conclusion
  return trouble ?? { verdict: 'could_not_check', reason: { code: 'not_checked' }, asked: [], block: null }
}

const stands = ({ concludedAt }: Known, now: number) =>
  concludedAt !== null && now - concludedAt <= STANDS_FOR

/** A verdict of the history, and since when it was shown. */
export type Change = Pick<Outcome, 'verdict' | 'reason'> & { at: number }

/** Whether the history gets a new row: for every other verdict, and once an hour for another answer. */
export function isChange(last: Change | undefined, shown: Outcome, now: number): boolean {
  if (!last || last.verdict !== shown.verdict) return true
  return now - last.at >= ANSWER_EVERY && answerKey(last.reason) !== answerKey(shown.reason)
}

/** Equal for answers that do not differ to a reader. A pool's share moves with every trade. */
function answerKey(reason: ShownReason): string {
  return JSON.stringify(reason, (name, value: unknown) =>
    ['shareBps', 'failure', 'answered', 'answer', 'block', 'time'].includes(name) ? undefined : value,
  )
}

/**
 * What administrators are to be notified of now: another verdict at once, the end of a proof after {@link TOLD_AFTER}
 * seconds without a verdict. The first verdict is no change.
 * @returns what is known afterwards, and the previous verdict if they are to be notified; undefined if nothing is new.
 */
export function tell(known: Known, now: number): { known: Known; before: Verdict | null } | undefined {
  const { verdict } = shownOf(known, now)
  const { told, toldAt, toldBeforeAt, concludedAt } = known
  if (verdict === told) return undefined
  if (verdict === 'could_not_check') {
    const isOver = concludedAt !== null && now - concludedAt >= TOLD_AFTER
    if (told !== 'proven' || !isOver) return undefined
  }
  if (told === null) return { known: { ...known, told: verdict }, before: null }
  if (toldBeforeAt !== null && now - toldBeforeAt < QUIET) return undefined
  return { known: { ...known, told: verdict, toldAt: now, toldBeforeAt: toldAt }, before: told }
}
