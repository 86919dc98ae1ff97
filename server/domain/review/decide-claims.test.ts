import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import { MAX_BULK_CLAIMS, decideClaims, MAX_REJECTION_TEXT_LENGTH } from '#contract/dashboard/review.ts'
import type { Deps } from '#server/deps.ts'
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
import { campaignWith, inCampaign, meetAtClaim } from '#server/testing/database/races.ts'
import { ban } from '../accounts/bans/ban.ts'
import { readCluster } from '../signals/read-signals.ts'
import { scoreClaim } from '../signals/score-claim.ts'

type Outcome = { claimId: string; outcome: string; message: string | null; by: string | null }

/** `decide` and `send` are calls by the administrator `adm`. `waits` is the id of a waiting claim. */
async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db } = api
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const send = (body: Record<string, unknown>) => api.call(decideClaims, { token: adm.token, body })
  const decide = async (body: Record<string, unknown>) => {
    const { status, body: reply } = await send(body)
    assert.equal(status, 200, JSON.stringify(reply))
    return reply.data as Outcome[]
  }
  const claim = async () => (await claimant(deps)).claimId
  return { ...api, adm, boss, send, decide, claim, waits: await claim() }
}

/**
 * The ids of claims by name. `own` is the administrator's, `foreign` is in another campaign, and `unknown`
 * belongs to no claim.
 */
async function createClaims({ deps, adm, boss, claim, waits }: Awaited<ReturnType<typeof setUp>>) {
  const [approved, rejected, locked] = [await claim(), await claim(), await claim()]
  const reviewer = reviewerOn(deps, boss)
  await reviewer.approve(approved)
  await reviewer.reject(rejected)
  await reviewer.lock(locked)
  const { _id: own } = await submitProof(deps, adm.id, freshProof())
  const [elsewhere] = await inCampaign([deps], campaignWith({}, 'elsewhere'))
  const { _id: foreign } = await submitProof(elsewhere, boss.id, freshProof())
  return { waits, approved, rejected, locked, own, foreign, unknown: newId() }
}

/** Ann and Ben have two held claims each. */
async function createHeldClusters(deps: Deps) {
  const claimOf = async (email: string) => (await claimant(deps, { email })).claimId
  const anns = [await claimOf('ann@mail.example'), await claimOf('ann+1@mail.example')] as const
  const bens = [await claimOf('ben@mail.example'), await claimOf('ben+1@mail.example')] as const
  await runClaimChecks(deps)
  // Scoring a claim also scores and holds the other claim of its cluster.
  for (const [claimId] of [anns, bens]) await scoreClaim(deps.db, claimId)
  return [anns, bens] as const
}

const outcomesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ outcome }) => outcome)

test('approves what it can, and returns one outcome per claim in the order of the request', async (t) => {
  const scene = await setUp(t)
  const { boss, db, deps, decide } = scene
  const ids = await createClaims(scene)
  const [held] = await createHeldClusters(deps)
  const expected = [
    [ids.own, 'own_claim', null],
    [ids.rejected, 'claim_rejected', null],
    [ids.waits, 'done', null],
    [ids.unknown, 'claim_not_found', null],
    [ids.foreign, 'claim_not_found', null],
    [ids.locked, 'claim_locked', boss.username],
    ...held.map((id) => [id, 'claim_held', null]),
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
  // An approval credits points in the token (`pf`) and in the coin (`pls`).
  const credits = [ids.waits, ids.approved].flatMap((id) => [`${id} pf`, `${id} pls`])
  assert.deepEqual(credited.map((row) => `${row.claim_id} ${row.kind}`).toSorted(), credits.toSorted())
  assert.equal((await reviewerOn(deps, boss).approve(ids.own)).approved, true, 'by another administrator')
  assert.equal((await decide({ decision: 'approve', claimIds: [ids.own] }))[0]?.outcome, 'own_claim')
  await assertLedgerInvariants(deps)
  await assertSlotInvariants(deps)
})

test('rejects only waiting claims, so a repeated call rejects none', async (t) => {
  const scene = await setUp(t)
  const { db, deps, decide } = scene
  const ids = await createClaims(scene)
  const claimIds = [ids.approved, ids.waits, ids.rejected, ids.own, ids.foreign, ids.waits]
  const text = '<b>=1+1</b>\n\nمرحبا 👩‍🚀 e\u0301'
  const body = { decision: 'reject', claimIds, reason: 'post_missing', text }
  const expected = ['claim_approved', 'done', 'claim_rejected', 'own_claim', 'claim_not_found']
  assert.deepEqual(outcomesOf(await decide(body)), expected)
  const decided = db.selectFrom('claims').select('reason').where('id', '=', ids.waits)
  const reason = `We couldn’t find your post. ${text}`
  assert.deepEqual(await decided.execute(), [{ reason }])
  assert.deepEqual(outcomesOf(await decide(body)), expected.with(1, 'claim_rejected'))
  await assertSlotInvariants(deps)
})

test('decides the held claims of a cluster together, but no other held claim', async (t) => {
  const { deps, db, decide, claim, waits } = await setUp(t)
  const [anns, bens] = await createHeldClusters(deps)
  const clusterOf = async ([claimId]: typeof anns) => {
    const { id, members } = (await readCluster(db, claimId)) ?? assert.fail()
    return { id, members: members.map((member) => member.claimId) }
  }
  const [ofAnn, ofBen] = [await clusterOf(anns), await clusterOf(bens)]
  assert.deepEqual([ofAnn.members, ofBen.members], [anns, bens])
  const approve = { decision: 'approve' }
  const reject = { decision: 'reject', reason: 'same_person' }
  for (const decision of [approve, reject])
    for (const clusterId of [undefined, newId(), ofAnn.id]) {
      const outcomes = await decide({ ...decision, claimIds: bens, clusterId })
      assert.deepEqual(outcomesOf(outcomes), ['claim_held', 'claim_held'])
    }
  const another = await claim()
  const approved = await decide({ ...approve, claimIds: [...anns, ...bens, waits], clusterId: ofAnn.id })
  assert.deepEqual(outcomesOf(approved), ['done', 'done', 'claim_held', 'claim_held', 'done'])
  const rejected = await decide({ ...reject, claimIds: [...bens, another], clusterId: ofBen.id })
  assert.deepEqual(outcomesOf(rejected), ['done', 'done', 'done'])
  const claims = await db.selectFrom('claims').select(['id', 'status']).execute()
  const statuses = Object.fromEntries(claims.map(({ id, status }) => [id, status]))
  const approvals = [...anns, waits].map((id) => [id, 'approved'])
  const rejections = [...bens, another].map((id) => [id, 'rejected'])
  assert.deepEqual(statuses, Object.fromEntries([...approvals, ...rejections]))
  await assertLedgerInvariants(deps)
  await assertSlotInvariants(deps)
})

/** Control characters, invisible characters such as bidirectional marks, and halves of surrogate pairs. */
const HOSTILE_CHARACTERS = [
  ...'\u202e \u2066 \u200e \u200b \u0000 \u0007 \u001b \r \t \u0085 \u00ad \ufeff \u{e0041} \ud800 \udfff'.split(
    ' ',
  ),
  // Without the joiner between them, these halves would be an emoji.
  '\ud83d\u200d\ude00',
]

test('refuses an invalid request before deciding any claim, and accepts the maximum number of claims', async (t) => {
  const { waits, db, send } = await setUp(t)
  const readDecisions = async () => ({
    claims: await db.selectFrom('claims').selectAll().orderBy('id').execute(),
    journal: await db.selectFrom('journal').select('id').execute(),
  })
  const before = await readDecisions()
  const claimIds = [waits]
  const approve = { decision: 'approve', claimIds }
  const reject = { decision: 'reject', claimIds, reason: 'automated' }
  const many = Array.from({ length: MAX_BULK_CLAIMS + 1 }, () => newId())
  await assertInvalid(send, [
    [{}, { decision: 'not_offered', claimIds: 'required' }],
    [{ ...approve, decision: 'pay' }, { decision: 'not_offered' }],
    [{ ...approve, claimIds: [] }, { claimIds: 'required' }],
    [{ ...approve, claimIds: [...many.slice(1), waits] }, { claimIds: 'too_many' }],
    [{ ...approve, claimIds: waits }, { claimIds: 'wrong_type' }],
    [{ ...approve, claimIds: [waits, 'x'] }, { 'claimIds.1': 'id_format' }],
    [{ ...approve, claimIds: [waits, null] }, { 'claimIds.1': 'wrong_type' }],
    [{ ...approve, clusterId: `${waits}' or true` }, { clusterId: 'id_format' }],
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
  const { db, decide, claim, waits } = await setUp(t)
  const [first, last] = [await claim(), await claim()]
  // At the largest balance, crediting fails, after the decision has been recorded.
  await sql`
    update standings set pf = 9223372036854775807
    where user_id = (select user_id from claims where id = ${waits})`.execute(db)
  const readClaim = () => db.selectFrom('claims').selectAll().where('id', '=', waits).execute()
  const before = await readClaim()
  const outcomes = await decide({ decision: 'approve', claimIds: [first, waits, last] })
  assert.deepEqual(outcomesOf(outcomes), ['done', 'internal', 'done'])
  assert.equal(outcomes[1]?.message, errorMessages.messages.internal)
  assert.deepEqual(await readClaim(), before)
})

test('a bulk call of an administrator who is banned meanwhile decides nothing more', async (t) => {
  const { deps, adm, boss, decide, claim, waits } = await setUp(t)
  const second = await claim()
  const approve = () => decide({ decision: 'approve', claimIds: [waits, second] })
  // The ban commits while the call waits for the lock of the first claim.
  const [outcomesPending] = await meetAtClaim(deps, waits, [approve], () =>
    ban(deps, { userId: adm.id, reason: 'Why.', revokesApproval: false, by: { userId: boss.id } }),
  )
  assert.deepEqual(outcomesOf((await outcomesPending) ?? []), ['forbidden', 'forbidden'])
})
