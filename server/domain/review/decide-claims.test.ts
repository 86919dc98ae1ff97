import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { MAX_BULK_CLAIMS, decideClaims, MAX_REJECTION_TEXT_LENGTH } from '#contract/dashboard/review.ts'
import { errorMessages } from '#server/messages/errors.ts'
import { newId } from '#server/platform/database/ids.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'
import { campaignWith, inCampaign, untilWaiting } from '#server/testing/database/races.ts'
import { ban } from '../accounts/bans/ban.ts'
import { readCluster } from '../signals/read-signals.ts'
import { scoreClaim } from '../signals/score-claim.ts'

type Outcome = { claimId: string; outcome: string; message: string | null; by: string | null }

/**
 * `ids` has the ids of claims by name. `own` is the administrator's. `cluster` and `otherCluster` are
 * two held claims each (none by default). `foreign` is in another campaign. `unknown` belongs to no claim.
 */
async function setUp(t: TestContext, { hasClusters = false } = {}) {
  const api = await testApi(t)
  const { deps, db } = api
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const reviewer = reviewerOn(deps, boss)
  const claim = async () => (await claimant(deps)).claimId
  const createHeldCluster = async (name: string) => {
    const claims: string[] = []
    for (const email of [`${name}@mail.example`, `${name}+1@mail.example`])
      claims.push((await claimant(deps, { email })).claimId)
    await runClaimChecks(deps)
    for (const id of claims) await scoreClaim(db, id)
    return claims
  }
  const ids = {
    waits: await claim(),
    approved: await claim(),
    rejected: await claim(),
    locked: await claim(),
    own: (await submitProof(deps, adm.id, freshProof()))._id,
    cluster: hasClusters ? await createHeldCluster('ann') : [],
    otherCluster: hasClusters ? await createHeldCluster('ben') : [],
  }
  await reviewer.approve(ids.approved)
  await reviewer.reject(ids.rejected)
  await reviewer.lock(ids.locked)
  const [elsewhere] = await inCampaign([deps], campaignWith({}, 'elsewhere'))
  const foreign = await submitProof(elsewhere, boss.id, freshProof())
  const send = (body: Record<string, unknown>) => api.call(decideClaims, { token: adm.token, body })
  const decide = async (body: Record<string, unknown>) => {
    const { status, body: reply } = await send(body)
    assert.equal(status, 200, JSON.stringify(reply))
    return reply.data as Outcome[]
  }
  const statusesOf = async (claimIds: readonly string[]) => {
    const rows = await db.selectFrom('claims').select(['id', 'status']).where('id', 'in', claimIds).execute()
    return claimIds.map((claimId) => rows.find(({ id }) => id === claimId)?.status)
  }
  /** @returns the id of the cluster that has exactly these claims. */
  const clusterOf = async (claimIds: readonly string[]) => {
    const { id, members } = (await readCluster(db, claimIds[0] ?? '')) ?? assert.fail()
    const ofMembers = members.map(({ claimId }) => claimId)
    assert.deepEqual(ofMembers, claimIds)
    return id
  }
  const all = { ...ids, foreign: foreign._id, unknown: newId() }
  return { ...api, adm, boss, ids: all, send, decide, statusesOf, clusterOf }
}

const outcomesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ outcome }) => outcome)

test('approves what it can, and returns one outcome per claim in the order of the request', async (t) => {
  const { ids, boss, db, deps, decide } = await setUp(t, { hasClusters: true })
  const expected = [
    [ids.own, 'own_claim', null],
    [ids.rejected, 'claim_rejected', null],
    [ids.waits, 'done', null],
    [ids.unknown, 'claim_not_found', null],
    [ids.foreign, 'claim_not_found', null],
    [ids.locked, 'claim_locked', boss.username],
    [ids.cluster[0], 'claim_held', null],
    [ids.cluster[1], 'claim_held', null],
    // Approving an approved claim again succeeds, and credits nothing more.
    [ids.approved, 'done', null],
  ]
  // A claim named twice gets one outcome, even if its id is in upper case once.
  const claimIds = [...expected.map(([id]) => id), ids.waits.toUpperCase(), ids.waits]
  const outcomes = await decide({ decision: 'approve', claimIds })
  const answers = outcomes.map(({ claimId, outcome, by }) => [claimId, outcome, by])
  assert.deepEqual(answers, expected)
  for (const { outcome, message } of outcomes)
    assert.equal(message, outcome === 'done' ? null : errorMessages.messages[outcome as ErrorCode])
  const credited = await db.selectFrom('ledger').select(['claim_id', 'kind']).execute()
  const credits = [ids.waits, ids.approved].flatMap((id) => [`${id} pf`, `${id} pls`])
  assert.deepEqual(credited.map((row) => `${row.claim_id} ${row.kind}`).toSorted(), credits.toSorted())
  assert.equal((await reviewerOn(deps, boss).approve(ids.own)).approved, true, 'by another administrator')
  assert.equal((await decide({ decision: 'approve', claimIds: [ids.own] }))[0]?.outcome, 'own_claim')
  await assertLedgerInvariants(deps)
  await assertSlotInvariants(deps)
})

test('rejects only waiting claims, so a repeated call rejects none', async (t) => {
  const { ids, db, deps, decide } = await setUp(t)
  const claimIds = [ids.approved, ids.waits, ids.rejected, ids.own, ids.foreign, ids.waits]
  const body = { decision: 'reject', claimIds, reason: 'post_missing', text: '<b>=1+1</b>' }
  const expected = ['claim_approved', 'done', 'claim_rejected', 'own_claim', 'claim_not_found']
  assert.deepEqual(outcomesOf(await decide(body)), expected)
  const decided = db.selectFrom('claims').select('reason').where('id', '=', ids.waits)
  const reason = 'We couldn’t find your post. <b>=1+1</b>'
  assert.deepEqual(await decided.execute(), [{ reason }])
  assert.deepEqual(outcomesOf(await decide(body)), expected.with(1, 'claim_rejected'))
  await assertSlotInvariants(deps)
})

for (const [decision, decided, body] of [
  ['approve', 'approved', {}],
  ['reject', 'rejected', { reason: 'same_person' }],
] as const)
  test(`decides the held claims of a cluster together (${decision}), but no other held claim`, async (t) => {
    const { ids, deps, decide, clusterOf, statusesOf } = await setUp(t, { hasClusters: true })
    const decideAll = async (claimIds: readonly string[], clusterId?: string) =>
      outcomesOf(await decide({ decision, claimIds, clusterId, ...body }))
    const clusterId = await clusterOf(ids.cluster)
    for (const other of [undefined, newId(), clusterId])
      assert.deepEqual(await decideAll(ids.otherCluster, other), ['claim_held', 'claim_held'])
    const claimIds = [...ids.cluster, ...ids.otherCluster, ids.waits]
    const outcomes = await decideAll(claimIds, clusterId)
    assert.deepEqual(outcomes, ['done', 'done', 'claim_held', 'claim_held', 'done'])
    assert.deepEqual(await statusesOf(claimIds), [decided, decided, 'held', 'held', decided])
    await assertLedgerInvariants(deps)
    await assertSlotInvariants(deps)
  })

/** Control characters, invisible characters such as bidirectional marks, and halves of surrogate pairs. */
const HOSTILE_CHARACTERS = [
  ...'\u202e \u2066 \u200e \u200b \u0000 \u0007 \u001b \r \t \u0085 \u00ad \ufeff \u{e0041} \ud800 \udfff'.split(
    ' ',
  ),
  // Two halves: an emoji without the joiner between them.
  '\ud83d\u200d\ude00',
]

test('refuses an invalid request before deciding any claim, and accepts the maximum number of claims', async (t) => {
  const { ids, db, send } = await setUp(t)
  const readDecisions = async () => ({
    claims: await db.selectFrom('claims').selectAll().orderBy('id').execute(),
    journal: await db.selectFrom('journal').select('id').execute(),
  })
  const before = await readDecisions()
  const claimIds = [ids.waits]
  const approve = { decision: 'approve', claimIds }
  const reject = { decision: 'reject', claimIds, reason: 'automated' }
  const many = Array.from({ length: MAX_BULK_CLAIMS + 1 }, () => newId())
  await assertInvalid(send, [
    [{}, { decision: 'not_offered', claimIds: 'required' }],
    [{ ...approve, decision: 'pay' }, { decision: 'not_offered' }],
    [{ ...approve, claimIds: [] }, { claimIds: 'required' }],
    [{ ...approve, claimIds: [...many.slice(1), ids.waits] }, { claimIds: 'too_many' }],
    [{ ...approve, claimIds: ids.waits }, { claimIds: 'wrong_type' }],
    [{ ...approve, claimIds: [ids.waits, 'x'] }, { 'claimIds.1': 'id_format' }],
    [{ ...approve, claimIds: [ids.waits, null] }, { 'claimIds.1': 'wrong_type' }],
    [{ ...approve, clusterId: `${ids.waits}' or true` }, { clusterId: 'id_format' }],
    [{ ...approve, reason: 'automated' }, { reason: 'unknown_field' }],
    [{ ...approve, text: 'Well done.' }, { text: 'unknown_field' }],
    [{ ...approve, pfPoints: 1 }, { pfPoints: 'unknown_field' }],
    [{ decision: 'reject', claimIds }, { reason: 'required' }],
    [{ ...reject, reason: 'ugly' }, { reason: 'not_offered' }],
    [{ ...reject, reason: 'other' }, { text: 'required' }],
    [{ ...reject, reason: 'other', text: ' \n ' }, { text: 'required' }],
    [{ ...reject, text: 'x'.repeat(MAX_REJECTION_TEXT_LENGTH + 1) }, { text: 'text_long' }],
    ...HOSTILE_CHARACTERS.map((one) => [{ ...reject, text: `a${one}b` }, { text: 'text_format' }] as const),
  ])
  assert.deepEqual(await readDecisions(), before)
  assert.equal((await send({ ...approve, claimIds: many.slice(1) })).status, 200)
})

test('a failing decision is rolled back and does not stop the others', async (t) => {
  const { deps, db, ids, decide } = await setUp(t)
  const [first, last] = [(await claimant(deps)).claimId, (await claimant(deps)).claimId]
  // At the largest balance, crediting fails, after the decision has been recorded.
  await sql`
    update standings set pf = 9223372036854775807
    where user_id = (select user_id from claims where id = ${ids.waits})`.execute(db)
  const readClaim = () => db.selectFrom('claims').selectAll().where('id', '=', ids.waits).execute()
  const before = await readClaim()
  const outcomes = await decide({ decision: 'approve', claimIds: [first, ids.waits, last] })
  assert.deepEqual(outcomesOf(outcomes), ['done', 'internal', 'done'])
  assert.equal(outcomes[1]?.message, errorMessages.messages.internal)
  assert.deepEqual(await readClaim(), before)
})

test('a bulk call of an administrator who is banned meanwhile decides nothing more', async (t) => {
  const { db, deps, adm, boss, ids, decide } = await setUp(t)
  const { claimId: second } = await claimant(deps)
  const deciding = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('claims').select('id').where('id', '=', ids.waits).forUpdate().execute()
    const started = decide({ decision: 'approve', claimIds: [ids.waits, second] })
    await untilWaiting(db, 1)
    await ban(deps, { userId: adm.id, reason: 'Why.', revokesApproval: false, by: { userId: boss.id } })
    // Not awaited here, because the call waits for this transaction.
    return { started }
  })
  assert.deepEqual(outcomesOf(await deciding.started), ['forbidden', 'forbidden'])
})
