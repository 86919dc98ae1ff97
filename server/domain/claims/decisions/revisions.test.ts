import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import {
  decideClaims,
  listClaims,
  rejectClaim,
  reviewClaim,
  type ReviewClaim,
  type ReviewRow,
} from '#contract/dashboard/review.ts'
import {
  approveClaim,
  editClaim,
  listSubmissions,
  submitProof,
  type Submitter,
} from '#contract/claims/claims.ts'
import { errorMessages } from '#server/messages/errors.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertSlotsFit } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'

const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

/** A participant with a claim, and an administrator to whom nothing was shown. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { db, deps, call } = api
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const claimed = await call(submitProof, { token: ann.token, body: freshProof() })
  const id = (claimed.body.data as Task)._id
  const edit = async (body = freshProof()) => {
    const { status } = await call(editClaim, { token: ann.token, params: { taskId: id }, body })
    assert.equal(status, 200)
  }
  const as = (token: string) => ({
    /** The three ways to show an administrator a claim; each returns its revision. */
    reads: {
      submissions: async () => {
        const { body } = await call(listSubmissions, { token })
        return (body.data as Submitter[]).find(({ taskId }) => taskId?._id === id)?.taskId?.revision
      },
      rows: async () => {
        const { body } = await call(listClaims, { token, query: { filter: 'waiting' } })
        return (body.data as ReviewRow[]).find(({ _id }) => _id === id)?.revision
      },
      card: async () => {
        const { body } = await call(reviewClaim, { token, params: { claimId: id } })
        return (body.data as ReviewClaim).revision
      },
    },
    decides: {
      approve: (revision?: string) => call(approveClaim, given(token, id, { ...GRANT, revision })),
      reject: (revision?: string) =>
        call(rejectClaim, given(token, id, { reason: 'post_missing', revision })),
      bulk: async (revision?: string) => {
        const revisions = revision === undefined ? {} : { revisions: { [id.toUpperCase()]: revision } }
        const body = { decision: 'approve', claimIds: [id], ...revisions }
        const answer = await call(decideClaims, { token, body })
        assert.equal(answer.status, 200, answer.text)
        const [{ outcome, message }] = answer.body.data as [{ outcome: string; message: string }]
        return outcome === 'done' ? answer : { status: 409, body: { code: outcome, message } }
      },
    },
  })
  return { ...api, ann, id, edit, adm: as(adm.token), boss: as(boss.token) }
}

const given = (token: string, id: string, body: unknown) => ({
  token,
  params: { taskId: id, claimId: id },
  body,
})

const REFUSED = [409, 'claim_changed', errorMessages.messages.claim_changed]

test('lists, rows and cards show the same revision, and only an edit changes it', async (t) => {
  const { adm, edit, runClaimChecks } = await setUp(t)
  const seen = async () => {
    const revisions = await Promise.all(Object.values(adm.reads).map((read) => read()))
    assert.equal(new Set(revisions).size, 1, revisions.join())
    return revisions[0]
  }
  const first = await seen()
  assert.equal(typeof first, 'string')
  await runClaimChecks()
  assert.equal(await seen(), first)
  const proof = freshProof()
  await edit(proof)
  const second = await seen()
  assert.notEqual(second, first)
  await edit(proof)
  assert.equal(await seen(), second, 'an unchanged proof is no edit')
  await edit({ ...proof, wallet: freshProof().wallet })
  await edit(proof)
  assert.ok(![first, second].includes(await seen()), 'reverting is another revision')
})

for (const how of ['approve', 'reject', 'bulk'] as const)
  test(`a decision (${how}) on a stale revision changes nothing`, async (t) => {
    const { adm, boss, id, edit, db, deps } = await setUp(t)
    const state = async () => {
      const { rows } = await sql`
        select c.*, (select count(*) from ledger) as credits, (select count(*) from journal) as entries,
          (select count(*) from jobs) as jobs, (select count(*) from claim_events) as events
        from claims c where c.id = ${id}`.execute(db)
      return rows
    }
    const refusal = async (revision?: string) => {
      const before = await state()
      const { status, body } = await adm.decides[how](revision)
      assert.deepEqual(await state(), before)
      return [status, body.code, body.message]
    }
    const first = await adm.reads.rows()
    await edit()
    assert.deepEqual(await refusal(first), REFUSED, 'the revision seen before the edit')
    assert.deepEqual(await refusal('0'), REFUSED)
    assert.deepEqual(await refusal('anything'), REFUSED)
    assert.deepEqual(await refusal(), REFUSED, 'without a revision: the one in the last list')
    await boss.reads.card()
    assert.deepEqual(await refusal(), REFUSED, "another administrator's reading does not count")
    const second = await adm.reads.card()
    assert.deepEqual(await refusal(first), REFUSED)
    assert.equal((await adm.decides[how](second)).status, 200)
    await assertSlotsFit(deps)
  })

for (const where of ['submissions', 'rows', 'card'] as const)
  test(`accepts a decision without a revision after the claim was shown (${where}), until the next edit`, async (t) => {
    const { adm, edit } = await setUp(t)
    await edit()
    const refused = await adm.decides.approve()
    assert.equal(refused.status, 409, 'the edited claim was never shown')
    assert.equal(refused.body.code, 'claim_changed', 'the edited claim was never shown')
    await adm.reads[where]()
    await edit()
    assert.equal((await adm.decides.approve()).status, 409)
    assert.equal((await adm.decides.reject()).status, 409)
    await adm.reads[where]()
    const approved = await adm.decides.approve()
    assert.equal(approved.status, 200, approved.text)
    assert.deepEqual((await adm.decides.approve()).body, approved.body, 'a repeat changes nothing')
  })

test('records seen revisions only for edited claims, and once', async (t) => {
  const { adm, edit, db } = await setUp(t)
  const recorded = () => db.selectFrom('seen_revisions').select(['revision', 'at']).execute()
  for (const read of Object.values(adm.reads)) await read()
  assert.deepEqual(await recorded(), [])
  await edit()
  await adm.reads.rows()
  const once = await recorded()
  const revisions = once.map(({ revision }) => revision)
  assert.deepEqual(revisions, [2])
  for (const read of Object.values(adm.reads)) await read()
  assert.deepEqual(await recorded(), once)
})
