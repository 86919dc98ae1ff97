import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import * as contract from '#contract/claims/claims.ts'
import type { Locale } from '#contract/locales.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { newId } from '#server/platform/database/ids.ts'
import { type Answer, testApi } from '#server/testing/api.ts'
import { claimant, markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import { freshProof, openTask } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign } from '#server/testing/database/races.ts'
import { reasonOf } from '../signals/signal-texts.ts'
import { holdClaim } from './decisions/hold-claim.ts'
import { submitProof } from './submission/submit-proof.ts'

/** Ann and Ben have a claim each, Cleo has none. By default, `edit` and `appeal` are calls by Ann. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db, call } = api
  const [ann, ben, cleo] = await createUsers(db, deps.campaign.id, 3)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const bensProof = freshProof()
  const { _id: annsClaim } = await submitProof(deps, ann.id, freshProof())
  const { _id: bensClaim } = await submitProof(deps, ben.id, bensProof)
  const readOwn = async (locale: Locale = 'en') => {
    const headers = { 'accept-language': locale }
    const { body } = await call(contract.ownClaim, { token: ann.token, headers })
    return body.data as contract.OwnClaim
  }
  const edit = (body: unknown, { token = ann.token, taskId = annsClaim } = {}) =>
    call(contract.editClaim, { token, params: { taskId }, body })
  const appeal = (body: unknown, { token = ann.token, taskId = annsClaim } = {}) =>
    call(contract.appeal, { token, params: { taskId }, body })
  const hold = (...reasons: string[]) =>
    inTransaction(db, (tx) => holdClaim(tx, { claimId: annsClaim, reasons }))
  const reviewer = reviewerOn(deps, adm)
  const claims = { annsClaim, bensClaim, bensProof }
  return { ...api, ...claims, ann, ben, cleo, reviewer, readOwn, edit, appeal, hold }
}

const assertNotFound = (answer: Answer, message: string) =>
  assert.deepEqual(refusalOf(answer), [404, 'claim_not_found'], message)

test('GET /tasks/mine: returns only the number of attempts left when there is no claim', async (t) => {
  const { call, ann, cleo } = await setUp(t)
  const { status, headers, body } = await call(contract.ownClaim, { token: cleo.token })
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  const nothing = {
    claim: null,
    attemptsLeft: contract.MAX_ATTEMPTS,
    timeline: [],
    slot: null,
    waiting: null,
    typicalWaitSeconds: null,
    telegram: null,
    provenWallet: null,
  }
  assert.deepEqual(body, { data: nothing })
  const ask = (query: Record<string, string>) => call(contract.ownClaim, { token: cleo.token, query })
  await assertInvalid(ask, [[{ user: ann.id }, { user: 'unknown_field' }]])
})

test('GET /tasks/mine: shows that a claim was edited, locked by a reviewer, and rejected', async (t) => {
  const { reviewer, annsClaim, readOwn, edit } = await setUp(t)
  const submitted = { status: 'submitted', queuePlace: 1, isEditable: true, isAppealable: false }
  assert.partialDeepStrictEqual((await readOwn()).claim, submitted)

  const typed = freshProof()
  assert.equal((await edit(typed)).status, 200)
  assert.equal((await edit(typed)).status, 200, 'sending the same proof again is no edit')
  assert.equal((await readOwn()).claim?.retweetLink, typed.retweetLink)
  await reviewer.lock(annsClaim)
  assert.equal((await readOwn()).claim?.isEditable, false)

  // Reviewers' words are plain text: they are not translated, and markup and formulas stay as they are.
  const revisionAfterEdit = '2'
  await reviewer.reject(annsClaim, { text: '<b>=1</b>', reason: 'post_missing', revision: revisionAfterEdit })
  const { claim, slot, timeline } = await readOwn()
  assert.partialDeepStrictEqual(claim, { status: 'rejected', queuePlace: null, isAppealable: true })
  assert.equal(slot?.state, 'kept')
  const steps = timeline.map(({ what, reason }) => [what, reason?.code ?? null])
  assert.deepEqual(steps, [
    ['received', null],
    ['edited', null],
    ['rejected', 'post_missing'],
  ])
  for (const locale of ['en', 'es', 'ar'] as const) {
    const { claim: translated, timeline: events } = await readOwn(locale)
    const text = `${textsIn(locale).REJECTION_REASONS.post_missing} <b>=1</b>`
    assert.deepEqual(translated?.rejection, { code: 'post_missing', text })
    assert.equal(events.at(-1)?.reason?.text, text)
  }
})

test('GET /tasks/mine: shows an appeal with its answer, and the kept slot until it expires', async (t) => {
  const { db, reviewer, ann, annsClaim, readOwn, appeal } = await setUp(t)
  await reviewer.reject(annsClaim)
  assert.equal((await appeal({ text: 'Look again.' })).status, 201)
  const appealed = { isAppealable: false, appeal: { text: 'Look again.', isAnswered: false } }
  assert.partialDeepStrictEqual((await readOwn()).claim, appealed)

  await reviewer.reject(annsClaim, { text: 'It is of another day.', reason: 'post_incomplete' })
  const { claim, slot } = await readOwn()
  const answered = { appeal: { isAnswered: true }, rejection: { code: 'post_incomplete' } }
  assert.partialDeepStrictEqual(claim, answered)
  assert.equal(slot?.state, 'kept')

  await sql`update slots set until = now() where user_id = ${ann.id}`.execute(db)
  assert.equal((await readOwn()).slot, null)
})

test('GET /tasks/mine: returns the median wait once five claims are decided', async (t) => {
  const { deps, db, readOwn } = await setUp(t)
  for (const seconds of [10, 20, 30, 40, 50_000]) {
    assert.equal((await readOwn()).typicalWaitSeconds, null)
    const { claimId } = await claimant(deps)
    const submitted_at = sql<Date>`now() - make_interval(secs => ${seconds})`
    const decided = { status: 'approved', decided_at: NOW, submitted_at }
    await db.updateTable('claims').set(decided).where('id', '=', claimId).execute()
  }
  assert.equal((await readOwn()).typicalWaitSeconds, 30)
})

test('GET /tasks/mine: translates the reasons of a hold, except a reason whose signal is gone', async (t) => {
  const { db, annsClaim, readOwn, hold } = await setUp(t)
  const facts = { others: 2 }
  await db
    .insertInto('signals')
    .values({ claim_id: annsClaim, kind: 'same-text', weight: 60, facts: JSON.stringify(facts) })
    .execute()
  const withoutSignal = 'The signal of this reason is gone.'
  const reasons = [reasonOf('same-text', facts), withoutSignal]
  await hold(...reasons)
  assert.deepEqual((await readOwn('en')).claim?.heldFor, reasons)
  assert.deepEqual((await readOwn('es')).claim?.heldFor, [reasonOf('same-text', facts, 'es'), withoutSignal])
})

test('PUT /tasks/{id}: changes nothing if the claim is not the caller’s, the proof invalid, or a part of it taken', async (t) => {
  const { deps, ben, cleo, annsClaim, bensProof, readOwn, edit } = await setUp(t)
  const before = await readOwn()
  const proof = freshProof()
  assertNotFound(await edit(proof, { token: ben.token }), "another participant's claim")
  assertNotFound(await edit(proof, { taskId: newId() }), 'an unknown id')
  const [elsewhere] = await inCampaign([deps], campaignWith({}, 'elsewhere'))
  const { _id: taskId } = await submitProof(elsewhere, cleo.id, freshProof())
  assertNotFound(await edit(proof, { token: cleo.token, taskId }), 'a claim in another campaign')
  for (const noId of ['1', `${annsClaim}0`, `${annsClaim}' or '1'='1`, '%00'])
    assert.deepEqual(refusalOf(await edit(proof, { taskId: noId })), [404, 'not_found'], noId)
  await assertInvalid(edit, [
    [{}, { wallet: 'required', telegram: 'required', twitter: 'required', retweetLink: 'required' }],
    [
      { ...proof, status: 'approved', slot: 1 },
      { status: 'unknown_field', slot: 'unknown_field' },
    ],
    [
      { ...proof, wallet: '0x12', twitter: 'stranger' },
      { wallet: 'wallet_format', retweetLink: 'retweet_link_handle' },
    ],
  ])
  // The author in a post's URL is replaced, so that it matches the new handle. The post stays the same.
  const bensPost = bensProof.retweetLink.replace(bensProof.twitter.slice(1), proof.twitter.slice(1))
  const takenByBen = {
    wallet_taken: { wallet: bensProof.wallet },
    handle_taken: { telegram: bensProof.telegram.toUpperCase() },
    post_taken: { retweetLink: bensPost },
  }
  for (const [code, changes] of Object.entries(takenByBen))
    assert.deepEqual(refusalOf(await edit({ ...proof, ...changes })), [409, code])
  assert.deepEqual(await readOwn(), before)
})

test('PUT /tasks/{id}: saves the new proof and replaces the evidence of the previous one', async (t) => {
  const { db, annsClaim, edit, runClaimChecks } = await setUp(t)
  await runClaimChecks()
  const proof = freshProof()
  const { status, body } = await edit(proof)
  assert.deepEqual([status, body.message], [200, 'Your changes have been saved.'])
  // The wallet is not compared, because the checksum changes its case.
  const task = { ...(body.data as Task), wallet: '' }
  assert.deepEqual(task, { ...openTask(proof), _id: annsClaim, wallet: '' })
  const evidence = db.selectFrom('evidence').select('check_name').where('claim_id', '=', annsClaim)
  assert.deepEqual(await evidence.execute(), [])
  await runClaimChecks()
  assert.notDeepEqual(await evidence.execute(), [])
})

test('PUT /tasks/{id}: refuses an edit that began before another one, and changes nothing', async (t) => {
  const { readOwn, edit } = await setUp(t)
  const begun = await readOwn()
  const revision = begun.claim?.revision
  const [other, mine] = [freshProof(), freshProof()]
  assert.equal((await edit({ ...other, revision })).status, 200)
  const saved = await readOwn()
  assert.notEqual(saved.claim?.revision, revision)
  assert.deepEqual(refusalOf(await edit({ ...mine, revision })), [409, 'edited_elsewhere'])
  assert.deepEqual(await readOwn(), saved)
  assert.equal((await edit({ ...other, revision })).status, 200, 'a repeat of an edit whose answer was lost')
  assert.equal((await edit({ ...mine, revision: saved.claim?.revision })).status, 200)
  assert.equal((await edit(other)).status, 200, 'a call without a revision replaces any proof')
})

test('PUT /tasks/{id}: refuses an edit once a reviewer has locked the claim, even if they release it', async (t) => {
  const { reviewer, annsClaim, edit } = await setUp(t)
  const assertRefused = async (when: string) =>
    assert.deepEqual(refusalOf(await edit(freshProof())), [409, 'review_started'], when)
  await reviewer.lock(annsClaim)
  await assertRefused('while the claim is locked')
  await reviewer.unlock(annsClaim)
  await assertRefused('after its release')
  await reviewer.reject(annsClaim)
  await assertRefused('after the decision')
})

test("POST /tasks/{id}/appeal: accepts only an appeal against a hold or rejection of the caller's claim", async (t) => {
  const { call, db, ben, reviewer, annsClaim, bensClaim, readOwn, appeal, hold } = await setUp(t)
  const body = { text: 'It is mine.' }
  const notAppealable = [409, 'not_appealable']
  assert.deepEqual(refusalOf(await appeal(body)), notAppealable, 'a submitted claim')
  await reviewer.approve(annsClaim)
  assert.deepEqual(refusalOf(await appeal(body)), notAppealable, 'an approved claim')
  await reviewer.undo(annsClaim)

  await hold('Why.')
  assertNotFound(await appeal(body, { token: ben.token }), "another participant's claim")
  assertNotFound(await appeal(body, { taskId: newId() }), 'an unknown id')
  assert.deepEqual(refusalOf(await appeal(body, { taskId: 'mine' })), [404, 'not_found'])
  assert.equal((await readOwn()).claim?.appeal, null)

  await reviewer.reject(bensClaim)
  await call(contract.submitProof, { token: ben.token, body: freshProof() })
  const appealOfBen = await appeal(body, { token: ben.token, taskId: bensClaim })
  assert.deepEqual(refusalOf(appealOfBen), notAppealable, 'a claim that was corrected since')
  assert.deepEqual(await db.selectFrom('appeals').selectAll().execute(), [])
})

test('POST /tasks/{id}/appeal: accepts plain text up to the limit, once for each attempt', async (t) => {
  const { deps, db, ann, reviewer, annsClaim, readOwn, appeal, hold } = await setUp(t)
  await hold('Why.')
  await assertInvalid(appeal, [
    [{}, { text: 'required' }],
    [{ text: ' \n\t ' }, { text: 'required' }],
    [{ text: null }, { text: 'wrong_type' }],
    [{ text: 'é'.repeat(contract.MAX_APPEAL_LENGTH + 1) }, { text: 'text_long' }],
    [{ text: 'a\u0000b' }, { text: 'text_format' }],
    [{ text: 'It is mine.', answered: true }, { answered: 'unknown_field' }],
  ])
  assert.equal((await readOwn()).claim?.appeal, null)
  const longest = '🦊'.repeat(contract.MAX_APPEAL_LENGTH)
  const accepted = await appeal({ text: ` ${longest}\n` })
  const thanks = { message: 'Thank you. A reviewer will read your appeal.' }
  assert.deepEqual([accepted.status, accepted.body], [201, thanks])
  assert.equal((await readOwn()).claim?.appeal?.text, longest)

  const body = { text: 'It is mine.' }
  const alreadyAppealed = [409, 'already_appealed']
  assert.deepEqual(refusalOf(await appeal(body)), alreadyAppealed, 'a second appeal against the hold')
  await reviewer.reject(annsClaim)
  assert.deepEqual(refusalOf(await appeal(body)), alreadyAppealed, 'an appeal against the rejection')
  const { _id: corrected } = await submitProof(deps, ann.id, freshProof())
  await reviewer.reject(corrected)
  assert.equal((await appeal(body, { taskId: corrected })).status, 201)
  const appeals = await db.selectFrom('appeals').select('claim_id').execute()
  assert.deepEqual(appeals.map((row) => row.claim_id).toSorted(), [annsClaim, corrected].toSorted())
})

test('limits appeals to ten a minute, for each account separately', async (t) => {
  const { db, ben, annsClaim, bensClaim, appeal } = await setUp(t)
  await markRejected(db, annsClaim)
  const statuses: number[] = []
  for (let count = 1; count <= 11; count += 1) statuses.push((await appeal({ text: 'Again.' })).status)
  // One is accepted, nine are repeats, and the last is over the limit.
  assert.deepEqual(statuses, [201, ...Array<number>(9).fill(409), 429])
  const appealOfBen = await appeal({ text: 'I.' }, { token: ben.token, taskId: bensClaim })
  assert.deepEqual(refusalOf(appealOfBen), [409, 'not_appealable'], "Ben's call is not limited")
})
