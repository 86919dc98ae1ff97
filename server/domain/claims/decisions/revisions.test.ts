import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import {
  decideClaims,
  listClaims,
  rejectClaim,
  reviewClaim,
  type ReviewClaim,
  type ReviewRow,
} from '#contract/dashboard/review.ts'
import { approveClaim, editClaim, listClaimants, type Claimant } from '#contract/claims/claims.ts'
import { errorMessages } from '#server/messages/errors.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertSlotInvariants } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { submitProof } from '../submission/submit-proof.ts'

/** What a claim earns in the test campaign. */
const GRANT = { pfPoints: 20_000, plsPoints: 20_000 }

/** Ann has a claim, which the administrators `adm` and `boss` have not seen yet. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { db, deps, call } = api
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const { _id: id } = await submitProof(deps, ann.id, freshProof())
  const edit = async (body = freshProof()) => {
    const { status } = await call(editClaim, { token: ann.token, params: { taskId: id }, body })
    assert.equal(status, 200)
  }
  const as = (token: string) => ({
    /** The three calls that show an administrator the claim. Each returns its revision. */
    reads: {
      claimants: async () => {
        const { body } = await call(listClaimants, { token })
        // The API calls a participant's claim `taskId`.
        const claims = (body.data as Claimant[]).map(({ taskId: claim }) => claim)
        return claims.find((claim) => claim?._id === id)?.revision
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
      approve: (revision?: string) =>
        call(approveClaim, { token, params: { taskId: id }, body: { ...GRANT, revision } }),
      reject: (revision?: string) =>
        call(rejectClaim, { token, params: { claimId: id }, body: { reason: 'post_missing', revision } }),
      bulk: async (revision?: string) => {
        // An id in capitals names the same claim.
        const revisions = revision === undefined ? undefined : { [id.toUpperCase()]: revision }
        const body = { decision: 'approve', claimIds: [id], revisions }
        const answer = await call(decideClaims, { token, body })
        assert.equal(answer.status, 200, answer.text)
        const [{ outcome, message }] = answer.body.data as [{ outcome: string; message: string }]
        // Returns a refused outcome as the answer that a single decision would have got.
        return outcome === 'done' ? answer : { status: 409, body: { code: outcome, message } }
      },
    },
  })
  return { ...api, ann, id, edit, adm: as(adm.token), boss: as(boss.token) }
}

const STALE = [409, 'claim_changed', errorMessages.messages.claim_changed]

test('the list of claimants, the rows and the card show one revision, which only an edit changes', async (t) => {
  const { adm, edit, runClaimChecks } = await setUp(t)
  const readRevision = async () => {
    const revisions = await Promise.all(Object.values(adm.reads).map((read) => read()))
    assert.equal(new Set(revisions).size, 1, revisions.join())
    return revisions[0]
  }
  const submitted = await readRevision()
  assert.equal(typeof submitted, 'string')
  await runClaimChecks()
  assert.equal(await readRevision(), submitted)
  const proof = freshProof()
  await edit(proof)
  const edited = await readRevision()
  assert.notEqual(edited, submitted)
  await edit(proof)
  assert.equal(await readRevision(), edited, 'an unchanged proof is no edit')
  await edit({ ...proof, wallet: freshProof().wallet })
  await edit(proof)
  assert.ok(![submitted, edited].includes(await readRevision()), 'reverting an edit makes another revision')
})

for (const kind of ['approve', 'reject', 'bulk'] as const)
  test(`a decision (${kind}) on a stale revision changes nothing`, async (t) => {
    const { adm, boss, id, edit, db, deps } = await setUp(t)
    const readState = async () => {
      const { rows } = await sql`
        select c.*, (select count(*) from ledger) as credits, (select count(*) from journal) as entries,
          (select count(*) from jobs) as jobs, (select count(*) from claim_events) as events
        from claims c where c.id = ${id}`.execute(db)
      return rows
    }
    const assertRefused = async (message: string, revision?: string) => {
      const before = await readState()
      const { status, body } = await adm.decides[kind](revision)
      assert.deepEqual([status, body.code, body.message], STALE, message)
      assert.deepEqual(await readState(), before, message)
    }
    const submitted = await adm.reads.rows()
    await edit()
    await assertRefused('the revision before the edit', submitted)
    await assertRefused('a revision that never was', '0')
    await assertRefused('a text that is no revision', 'anything')
    await assertRefused('no revision, and this administrator last saw the one before the edit')
    await boss.reads.card()
    await assertRefused('no revision, and only another administrator saw the edit')

    const edited = await adm.reads.card()
    await assertRefused('the revision before the edit, although the edit was shown', submitted)
    assert.equal((await adm.decides[kind](edited)).status, 200)
    await assertSlotInvariants(deps)
  })

for (const read of ['claimants', 'rows', 'card'] as const)
  test(`accepts a decision without a revision after the claim was shown (${read}), until the next edit`, async (t) => {
    const { adm, edit } = await setUp(t)
    await edit()
    const refused = await adm.decides.approve()
    assert.deepEqual([refused.status, refused.body.code], [409, 'claim_changed'], 'the edit was never shown')
    await adm.reads[read]()
    await edit()
    assert.equal((await adm.decides.approve()).status, 409, 'this edit was not shown')
    assert.equal((await adm.decides.reject()).status, 409)
    await adm.reads[read]()
    const approved = await adm.decides.approve()
    assert.equal(approved.status, 200, approved.text)
    assert.deepEqual((await adm.decides.approve()).body, approved.body, 'a repeat changes nothing')
  })

test('records seen revisions only for edited claims, and once', async (t) => {
  const { adm, edit, db } = await setUp(t)
  const readAll = async () => {
    for (const read of Object.values(adm.reads)) await read()
  }
  const recorded = db.selectFrom('seen_revisions').select(['revision', 'at'])
  await readAll()
  assert.deepEqual(await recorded.execute(), [])
  await edit()
  await adm.reads.rows()
  const [shown, ...others] = await recorded.execute()
  assert.equal(shown?.revision, 2, 'the first edit')
  assert.deepEqual(others, [])
  await readAll()
  assert.deepEqual(await recorded.execute(), [shown])
})
