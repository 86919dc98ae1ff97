import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { campaign as campaignEndpoint } from '#contract/campaign.ts'
import { approveClaim } from '#contract/claims/claims.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { decideClaims } from '#contract/dashboard/review.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { TestApi } from '#server/testing/api.ts'
import { freezeNow, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'
import { tasksOf } from '#server/testing/builders/tasks.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'

/** What a claim earns with ten tasks of {@link tasksOf}, added up by hand. */
const GRANT = { pfPoints: 55_000, plsPoints: 25_400 }
const CREDITED = { pf: GRANT.pfPoints, pls: GRANT.plsPoints }

function campaignOf(tasks: CampaignFile['airdrop']['tasks']): CampaignFile {
  const campaign = payoutCampaign()
  return { ...campaign, airdrop: { ...campaign.airdrop, tasks } }
}

async function readCredited(db: Database, userId: string) {
  const { rows } = await sql<{ kind: string; amount: number }>`
    select kind, sum(amount)::int8 as amount from ledger where user_id = ${userId}
    group by kind order by kind`.execute(db)
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]))
}

async function readApprovalMail({ mailsTo }: TestApi, email: string): Promise<string> {
  const mails = await mailsTo(email)
  return mails.find(({ subject }) => subject.includes('approved'))?.text ?? assert.fail()
}

test('an approval credits and mails what GET /campaign says that a claim earns', async (t) => {
  const api = await payoutApi(t, campaignOf(tasksOf(10)))
  const { data } = (await api.call(campaignEndpoint)).body
  assert.partialDeepStrictEqual(data, { ...GRANT, pointsPerTask: 5_000 })
  const ann = await api.claim()
  const approve = (body: typeof GRANT) =>
    api.call(approveClaim, { token: api.adm.token, params: { taskId: ann.claimId }, body })
  for (const wrong of [
    { ...GRANT, pfPoints: 55_001 },
    { ...GRANT, plsPoints: 25_399 },
    { pfPoints: 20_000, plsPoints: 20_000 },
    { pfPoints: GRANT.plsPoints, plsPoints: GRANT.pfPoints },
  ])
    assert.equal((await approve(wrong)).body.code, 'wrong_points', JSON.stringify(wrong))
  assert.deepEqual(await readCredited(api.db, ann.id), {})

  const { status, body } = await approve(GRANT)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body.data, GRANT)
  assert.deepEqual(await readCredited(api.db, ann.id), CREDITED)
  const mail = await readApprovalMail(api, ann.email)
  assert.ok(mail.includes('It earned you 55,000 PF points and 25,400 PLS points.'), mail)
})

test('a bulk approval credits, journals and pays what a claim earns, even after an undo', async (t) => {
  const { db, deps, adm, call, claim, reviewer } = await payoutApi(t, campaignOf(tasksOf(10)))
  const [ann, ben] = [await claim(), await claim()]
  await reviewer.approve(ann.claimId)
  await reviewer.undo(ann.claimId)
  assert.deepEqual(await readCredited(db, ann.id), { pf: 0, pls: 0 })
  const claimIds = [ann.claimId, ben.claimId]
  const bulk = await call(decideClaims, { token: adm.token, body: { decision: 'approve', claimIds } })
  assert.equal(bulk.status, 200)
  for (const { id } of [ann, ben]) assert.deepEqual(await readCredited(db, id), CREDITED)
  await assertLedgerInvariants(deps)

  const { recipients, pf, pls } = await freezeNow(deps)
  // A PF point is worth one token, and a PLS point half a coin.
  const paid = { pf: 110_000n * 10n ** 18n, pls: 25_400n * 10n ** 18n }
  assert.deepEqual({ recipients, pf, pls }, { recipients: 2, ...paid })
  const decisions = (await assertSealed(db)).filter(({ action }) => action === 'claim.approved')
  assert.equal(decisions.length, 3, 'two for Ann, one for Ben')
  for (const { after } of decisions) assert.partialDeepStrictEqual(after, GRANT)
})

test('GET /campaign says what each task is worth; its `points` are those in the token', async (t) => {
  const { call } = await payoutApi(t, campaignOf(tasksOf(4)))
  const { data } = (await call(campaignEndpoint)).body as { data: { tasks: Record<string, unknown>[] } }
  const worths = data.tasks.map(({ id, points, pfPoints, plsPoints }) => [id, points, pfPoints, plsPoints])
  assert.deepEqual(worths, [
    ['task-1', 5_000, 5_000, 5_000],
    ['task-2', 2_000, 2_000, 0],
    ['task-3', 5_000, 5_000, 5_000],
    ['task-4', 4_000, 4_000, 100],
  ])
})

test('an approval credits, mails and pays no points in the coin if no task has any', async (t) => {
  const tasks = tasksOf(2).map((task) => ({ ...task, points: { pf: 1, pls: 0 } }))
  const api = await payoutApi(t, campaignOf(tasks))
  const { id, email } = await api.approveNewClaim()
  assert.deepEqual(await readCredited(api.db, id), { pf: 2 })
  const mail = await readApprovalMail(api, email)
  assert.ok(mail.includes('It earned you 2 PF points.'), mail)
  const { pf, pls } = await freezeNow(api.deps)
  assert.deepEqual({ pf, pls }, { pf: 2n * 10n ** 18n, pls: 0n })
  await assertLedgerInvariants(api.deps)
})
