import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Proof, type Reason, VERDICT_OF } from '#contract/token-proofs/proof.ts'
import { isChange, type ProofState, applyCheck, INITIAL_STATE, shownOf, findNotice } from './proof-state.ts'

const NOW = 1_800_000_000
const MINUTE = 60
const HOUR = 60 * MINUTE

const RENOUNCED: Reason = { code: 'renounced', owner: null }
const OWNED: Reason = { code: 'owned', owner: `0x${'1'.repeat(40)}` }
const SILENT: Reason = {
  code: 'no_answer',
  method: 'eth_call',
  failure: { kind: 'unreachable', detail: 'failed with ECONNREFUSED' },
}
const OTHER_CHAIN: Reason = { code: 'other_chain', expected: 369, answered: '"0x1"' }
const UNREADABLE: Reason = { code: 'unreadable_code' }

const proofOf = (reason: Reason): Proof => ({
  claim: 'ownership',
  verdict: VERDICT_OF[reason.code],
  reason,
  asked: [],
})

/** The state after a check at `now`, by default of a block of that second: there is one every ten seconds. */
const check = (state: ProofState, reason: Reason, now: number, block = { number: now / 10, time: now }) =>
  applyCheck(state, proofOf(reason), { ...block, hash: '0x' }, now)

const codeAt = (state: ProofState, now: number) => shownOf(state, now).reason.code

test('a verdict is shown at once, and for five minutes while the node is silent or on another chain', () => {
  const proven = check(INITIAL_STATE, RENOUNCED, NOW)
  assert.equal(codeAt(proven, NOW), 'renounced')
  for (const outage of [SILENT, OTHER_CHAIN]) {
    const out = check(proven, outage, NOW + MINUTE)
    assert.equal(codeAt(out, NOW + 5 * MINUTE), 'renounced')
    assert.equal(codeAt(out, NOW + 5 * MINUTE + 1), outage.code)
    assert.equal(codeAt(check(out, RENOUNCED, NOW + 9 * MINUTE), NOW + 9 * MINUTE), 'renounced')
  }
})

test('a proof ends at once if the chain’s answer allows no conclusion', () => {
  const state = check(check(INITIAL_STATE, RENOUNCED, NOW), UNREADABLE, NOW + MINUTE)
  assert.equal(codeAt(state, NOW + MINUTE), 'unreadable_code')
})

test('an older block does not bring back a former verdict until the present one has expired', () => {
  const renounced = check(INITIAL_STATE, RENOUNCED, NOW)
  const owned = check(renounced, OWNED, NOW + MINUTE)
  const behind = { number: NOW / 10, time: NOW }
  // This is what a node that lags behind answers, or a chain that was reset.
  const lagging = check(owned, RENOUNCED, NOW + 2 * MINUTE, behind)
  assert.equal(codeAt(lagging, NOW + 2 * MINUTE), 'owned')
  assert.equal(lagging.inconclusive?.reason.code, 'heads_differ')
  assert.equal(codeAt(check(lagging, RENOUNCED, NOW + 7 * MINUTE, behind), NOW + 7 * MINUTE), 'renounced')
})

test('verdicts and emails from before the clock was set back do not count', () => {
  const proven = check(INITIAL_STATE, RENOUNCED, NOW)
  assert.equal(codeAt(proven, NOW - MINUTE), 'renounced', 'the clocks of two servers differ a little')
  assert.equal(codeAt(check(proven, SILENT, NOW - 24 * HOUR), NOW - 24 * HOUR), 'no_answer')
  const notified = {
    ...proven,
    notifiedVerdict: 'proven',
    notifiedAt: NOW,
    previouslyNotifiedAt: NOW,
  } as const
  const owned = check(notified, OWNED, NOW - 24 * HOUR)
  assert.equal(findNotice(owned, NOW - 24 * HOUR)?.before, 'proven')
})

test('a check of the same block again still gives a verdict, because there may be no newer block', () => {
  const block = { number: 369, time: NOW }
  const state = check(check(INITIAL_STATE, RENOUNCED, NOW, block), OWNED, NOW + MINUTE, block)
  assert.equal(codeAt(state, NOW + MINUTE), 'owned')
})

test('neither a block from over an hour ago nor a check without a block proves anything', () => {
  const stale = (age: number) => check(INITIAL_STATE, RENOUNCED, NOW, { number: 7, time: NOW - age })
  assert.equal(codeAt(stale(HOUR), NOW), 'renounced')
  const oldBlock = { code: 'old_block', block: 7, time: NOW - HOUR - 1 }
  assert.deepEqual(shownOf(stale(HOUR + 1), NOW).reason, oldBlock)
  assert.equal(codeAt(applyCheck(INITIAL_STATE, proofOf(RENOUNCED), null, NOW), NOW), 'not_checked')
})

test('the history gets a changed verdict at once, but a changed answer at most once an hour', () => {
  const shown = (reason: Reason) => ({ verdict: VERDICT_OF[reason.code], reason, asked: [], block: 1 })
  const row = (reason: Reason) => ({ verdict: VERDICT_OF[reason.code], reason, at: NOW })
  const burned = (burnedBps: number, shareBps: number): Reason => {
    const pool = { exchange: 'X', quote: 'WPLS', address: '0x1', burnedBps, shareBps }
    return { code: 'burned', burnedBps, pools: [pool] }
  }
  assert.ok(isChange(undefined, shown(SILENT), NOW), 'nothing is in the history yet')
  assert.ok(isChange(row(RENOUNCED), shown(OWNED), NOW + 1))
  assert.ok(!isChange(row(burned(9_950, 1)), shown(burned(9_960, 1)), NOW + HOUR - 1))
  assert.ok(isChange(row(burned(9_950, 1)), shown(burned(9_960, 1)), NOW + HOUR))
  // A pool's share and the way in which a node fails do not count.
  assert.ok(!isChange(row(burned(9_950, 1)), shown(burned(9_950, 2)), NOW + HOUR))
  const limited: Reason = { code: 'no_answer', method: 'eth_call', failure: { kind: 'status', status: 429 } }
  assert.ok(!isChange(row(SILENT), shown(limited), NOW + HOUR))
})

test('notifies of a change and the change back at once, and of a third change an hour after the first', () => {
  let state = check(INITIAL_STATE, RENOUNCED, NOW)
  const notices: string[] = []
  const checkAndNotify = (reason: Reason, minutes: number) => {
    const now = NOW + minutes * MINUTE
    state = check(state, reason, now)
    const notice = findNotice(state, now)
    if (notice?.before) notices.push(`${minutes}: ${notice.before} to ${shownOf(state, now).verdict}`)
    state = notice?.state ?? state
  }
  checkAndNotify(RENOUNCED, 0)
  assert.deepEqual(notices, [], 'the first verdict is no change')
  checkAndNotify(OWNED, 1)
  checkAndNotify(OWNED, 2)
  checkAndNotify(RENOUNCED, 3)
  // Minute 61, an hour after the first change, has the verdict of the last notice.
  for (let minutes = 4; minutes < 70; minutes += 1)
    checkAndNotify(minutes % 2 === 0 ? OWNED : RENOUNCED, minutes)
  assert.deepEqual(notices, [
    '1: proven to not_so',
    '3: not_so to proven',
    '62: proven to not_so',
    '63: not_so to proven',
  ])
})

test('notifies of the end of a proof after an hour without a conclusion, and when it is proven again', () => {
  const noticeAfter = (state: ProofState, minutes: number) =>
    findNotice(state, NOW + minutes * MINUTE)?.before
  const silent = (notifiedVerdict: ProofState['notifiedVerdict'], reason: Reason) =>
    check({ ...check(INITIAL_STATE, reason, NOW), notifiedVerdict }, SILENT, NOW + MINUTE)
  assert.equal(noticeAfter(silent('proven', RENOUNCED), 59), undefined)
  assert.equal(noticeAfter(silent('proven', RENOUNCED), 60), 'proven')
  // Nothing was proven before, so there is no proof that could end.
  assert.equal(noticeAfter(silent('could_not_check', RENOUNCED), 60), undefined)
  assert.equal(noticeAfter(silent('not_so', OWNED), 60), undefined)
  assert.equal(noticeAfter(check(INITIAL_STATE, SILENT, NOW), 60), undefined)
  const back = check(silent('could_not_check', RENOUNCED), RENOUNCED, NOW + 90 * MINUTE)
  assert.equal(noticeAfter(back, 90), 'could_not_check')
})
