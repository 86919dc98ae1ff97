import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import * as contract from '#contract/claims/claims.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import { freshProof, openTask } from '#server/testing/builders/proof.ts'
import { campaignWith, inCampaign } from '#server/testing/races.ts'
import { holdClaim } from './decisions/hold-claim.ts'
import { submitProof } from './submission/submit-proof.ts'

/** Ann and Ben have a claim each, Cleo has none; by default, Ann calls `edit` and `appeal` about hers. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db, call } = api
  const [ann, ben, cleo] = await createUsers(db, deps.campaign.id, 3)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const proofs = { ann: freshProof(), ben: freshProof() }
  const { _id: id } = await submitProof(deps, ann.id, proofs.ann)
  const { _id: bensClaim } = await submitProof(deps, ben.id, proofs.ben)
  const mine = async (token = ann.token) =>
    (await call(contract.ownClaim, { token })).body.data as contract.OwnClaim
  const edit = (body: unknown, { token = ann.token, taskId = id } = {}) =>
    call(contract.editClaim, { token, params: { taskId }, body })
  const appeal = (body: unknown, { token = ann.token, taskId = id } = {}) =>
    call(contract.appeal, { token, params: { taskId }, body })
  const reviewer = reviewerOn(deps, adm)
  return { ...api, ann, ben, cleo, reviewer, id, bensClaim, proofs, mine, edit, appeal }
}

test('GET /tasks/mine: returns the state of a claim from none to an answered appeal', async (t) => {
  const { call, db, cleo, ann, reviewer, id, mine, edit, appeal } = await setUp(t)
  const ask = (query: Record<string, string>) => call(contract.ownClaim, { token: ann.token, query })
  await assertInvalid(ask, [[{ user: cleo.id }, { user: 'unknown_field' }]])
  const { status, headers, body } = await call(contract.ownClaim, { token: cleo.token })
  assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
  const nothing = {
    claim: null,
    attemptsLeft: 3,
    timeline: [],
    slot: null,
    waiting: null,
    typicalWaitSeconds: null,
    telegram: null,
    provenWallet: null,
  }
  assert.deepEqual(body, { data: nothing })

  const first = await mine()
  assert.deepEqual(
    [first.claim?.status, first.claim?.queuePlace, first.claim?.isEditable, first.claim?.isAppealable],
    ['submitted', 1, true, false],
  )
  const typed = freshProof()
  assert.equal((await edit(typed)).status, 200)
  assert.equal((await edit(typed)).status, 200, 'a repeat is no edit')
  assert.equal((await mine()).claim?.retweetLink, typed.retweetLink)
  await reviewer.lock(id)
  assert.equal((await mine()).claim?.isEditable, false)
  await reviewer.reject(id, '<b>=1</b>', 'post_missing', '2')
  const { claim, slot, timeline } = await mine()
  assert.deepEqual(
    [claim?.status, claim?.queuePlace, claim?.isAppealable, claim?.rejection?.text, slot?.state],
    ['rejected', null, true, 'We couldn’t find your post. <b>=1</b>', 'kept'],
  )
  const steps = timeline.map(({ what, reason }) => [what, reason?.code ?? null])
  assert.deepEqual(steps, [
    ['received', null],
    ['edited', null],
    ['rejected', 'post_missing'],
  ])
  assert.equal((await appeal({ text: 'Look again.' })).status, 201)
  const asked = (await mine()).claim
  assert.deepEqual(
    [asked?.isAppealable, asked?.appeal?.text, asked?.appeal?.isAnswered],
    [false, 'Look again.', false],
  )
  await reviewer.reject(id, 'It is of another day.', 'post_incomplete', '2')
  const answered = await mine()
  assert.deepEqual(
    [answered.claim?.appeal?.isAnswered, answered.claim?.rejection?.code, answered.slot?.state],
    [true, 'post_incomplete', 'kept'],
  )
  await sql`update slots set until = now() where user_id = ${ann.id}`.execute(db)
  assert.equal((await mine()).slot, null, 'the reservation has expired')
})

test('GET /tasks/mine: returns the median wait once five claims are decided', async (t) => {
  const { deps, db, reviewer, mine } = await setUp(t)
  const waits = [10, 20, 30, 40, 50_000]
  for (const [index, { id: userId }] of (await createUsers(db, deps.campaign.id, 5)).entries()) {
    assert.equal((await mine()).typicalWaitSeconds, null)
    const { _id: id } = await submitProof(deps, userId, freshProof())
    await reviewer.approve(id)
    await sql`
      update claims set submitted_at = decided_at - make_interval(secs => ${waits[index]}) where id = ${id}`.execute(
      db,
    )
  }
  assert.equal((await mine()).typicalWaitSeconds, 30)
})

test("PUT /tasks/{id}: edits one's own claim until its review starts", async (t) => {
  const { db, deps, ben, cleo, reviewer, id, proofs, edit, mine, runClaimChecks } = await setUp(t)
  const before = (await mine()).claim
  const proof = freshProof()
  const [elsewhere] = await inCampaign([deps], campaignWith({}, 'elsewhere'))
  const foreign = await submitProof(elsewhere, cleo.id, freshProof())
  const notMine = [404, 'claim_not_found']
  assert.deepEqual(refusalOf(await edit(proof, { token: ben.token })), notMine, "another participant's claim")
  assert.deepEqual(refusalOf(await edit(proof, { taskId: newId() })), notMine)
  const ofCampaign = await edit(proof, { token: cleo.token, taskId: foreign._id })
  assert.deepEqual(refusalOf(ofCampaign), notMine, 'of another campaign')
  for (const taskId of ['1', `${id}0`, `${id}' or '1'='1`, '%00'])
    assert.deepEqual(refusalOf(await edit(proof, { taskId })), [400, 'invalid_input'], taskId)

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
  const taken = proofs.ben
  const post = taken.retweetLink.replace(taken.twitter.slice(1), proof.twitter.slice(1))
  assert.deepEqual(refusalOf(await edit({ ...proof, wallet: taken.wallet })), [409, 'wallet_taken'])
  const sameHandle = { ...proof, telegram: taken.telegram.toUpperCase() }
  assert.deepEqual(refusalOf(await edit(sameHandle)), [409, 'handle_taken'])
  assert.deepEqual(refusalOf(await edit({ ...proof, retweetLink: post })), [409, 'post_taken'])
  assert.deepEqual((await mine()).claim, before, 'refused calls changed nothing')

  await runClaimChecks()
  const { status, body } = await edit(proof)
  assert.deepEqual([status, body.message], [200, 'Your changes have been saved.'])
  assert.deepEqual({ ...(body.data as Task), wallet: '' }, { ...openTask(proof), _id: id, wallet: '' })
  const countEvidence = async () =>
    (await db.selectFrom('evidence').select('check_name').where('claim_id', '=', id).execute()).length
  assert.equal(await countEvidence(), 0, 'the evidence of the previous proof is deleted')
  await runClaimChecks()
  assert.ok((await countEvidence()) > 0)
  await reviewer.lock(id)
  assert.deepEqual(refusalOf(await edit(freshProof())), [409, 'review_started'])
  await reviewer.unlock(id)
  assert.deepEqual(refusalOf(await edit(freshProof())), [409, 'review_started'], 'also once it is unlocked')
  await reviewer.reject(id, '', 'post_missing', '2')
  assert.deepEqual(refusalOf(await edit(freshProof())), [409, 'review_started'])
})

test("POST /tasks/{id}/appeal: accepts one plain-text appeal of one's own held or rejected claim", async (t) => {
  const { call, db, ben, reviewer, id, bensClaim, mine, appeal } = await setUp(t)
  const text = 'It is mine.'
  assert.deepEqual(refusalOf(await appeal({ text })), [409, 'not_appealable'], 'submitted')
  await reviewer.approve(id)
  assert.deepEqual(refusalOf(await appeal({ text })), [409, 'not_appealable'], 'approved')
  await reviewer.undo(id)
  await inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons: ['Why.'] }))
  const notMine = [404, 'claim_not_found']
  assert.deepEqual(refusalOf(await appeal({ text }, { token: ben.token })), notMine)
  assert.deepEqual(refusalOf(await appeal({ text }, { taskId: newId() })), notMine)
  assert.deepEqual(refusalOf(await appeal({ text }, { taskId: 'mine' })), [400, 'invalid_input'])
  await assertInvalid(appeal, [
    [{}, { text: 'required' }],
    [{ text: ' \n\t ' }, { text: 'required' }],
    [{ text: null }, { text: 'wrong_type' }],
    [{ text: 'é'.repeat(contract.MAX_APPEAL_LENGTH + 1) }, { text: 'text_long' }],
    [{ text: 'a\u0000b' }, { text: 'text_format' }],
    [{ text, answered: true }, { answered: 'unknown_field' }],
  ])
  assert.equal((await mine()).claim?.appeal, null)

  const long = '🦊'.repeat(contract.MAX_APPEAL_LENGTH)
  const { status, body } = await appeal({ text: ` ${long}\n` })
  assert.deepEqual([status, body], [201, { message: 'Thank you. A reviewer will read your appeal.' }])
  assert.equal((await mine()).claim?.appeal?.text, long)
  assert.deepEqual(refusalOf(await appeal({ text })), [409, 'already_appealed'])
  await reviewer.reject(id)
  assert.deepEqual(refusalOf(await appeal({ text })), [409, 'already_appealed'], 'once for each attempt')

  await reviewer.reject(bensClaim)
  await call(contract.submitProof, { token: ben.token, body: freshProof() })
  const late = await appeal({ text }, { token: ben.token, taskId: bensClaim })
  assert.deepEqual(refusalOf(late), [409, 'not_appealable'], 'corrected')
  assert.equal((await db.selectFrom('appeals').selectAll().execute()).length, 1)
})

test('limits appeals to ten a minute, for each account separately', async (t) => {
  const { reviewer, ben, id, bensClaim, appeal } = await setUp(t)
  await reviewer.reject(id)
  const statuses: number[] = []
  for (let call = 0; call < 11; call += 1) statuses.push((await appeal({ text: 'Again.' })).status)
  assert.deepEqual(statuses, [201, ...Array<number>(9).fill(409), 429])
  const ofBen = { token: ben.token, taskId: bensClaim }
  assert.deepEqual(refusalOf(await appeal({ text: 'I.' }, ofBen)), [409, 'not_appealable'])
})
