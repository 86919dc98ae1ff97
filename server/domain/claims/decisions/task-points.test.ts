import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { campaign as campaignEndpoint } from '#contract/campaign.ts'
import { approveClaim } from '#contract/claims/claims.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { decideClaims } from '#contract/dashboard/review.ts'
import type { Database } from '#server/platform/database/database.ts'
import { frozen, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'
import { tasksOf } from '#server/testing/builders/tasks.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'

/** What a claim earns with so many of the tasks of {@link tasksOf}, added up by hand. */
const EARNED = [
  { tasks: 1, pfPoints: 5_000, plsPoints: 5_000, words: '5,000 PF points and 5,000 PLS points' },
  { tasks: 3, pfPoints: 12_000, plsPoints: 10_000, words: '12,000 PF points and 10,000 PLS points' },
  { tasks: 4, pfPoints: 16_000, plsPoints: 10_100, words: '16,000 PF points and 10,100 PLS points' },
  { tasks: 10, pfPoints: 55_000, plsPoints: 25_400, words: '55,000 PF points and 25,400 PLS points' },
]

function campaignOf(tasks: CampaignFile['airdrop']['tasks']): CampaignFile {
  const campaign = payoutCampaign()
  return { ...campaign, airdrop: { ...campaign.airdrop, tasks } }
}

/** What a user's rows of the ledger add up to, by kind; a kind without rows is absent. */
async function ledgerOf(db: Database, userId: string) {
  const { rows } = await sql<{ kind: string; amount: number }>`
    select kind, sum(amount)::int8 as amount from ledger where user_id = ${userId}
    group by kind order by kind`.execute(db)
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]))
}

test('a claim earns the sum of each kind over all tasks', () => {
  for (const { tasks, pfPoints, plsPoints } of EARNED)
    assert.deepEqual(grantedPoints(campaignOf(tasksOf(tasks)).airdrop), { pfPoints, plsPoints }, `${tasks}`)
})

// With equal and with different sums of the two kinds.
for (const { tasks, pfPoints, plsPoints, words } of EARNED.filter(({ tasks: count }) =>
  [1, 10].includes(count),
)) {
  test(`an approval credits, mails and pays the sum of each kind (tasks: ${tasks})`, async (t) => {
    const api = await payoutApi(t, campaignOf(tasksOf(tasks)))
    const { db, deps, adm, call, claim, reviewer } = api
    const { data: described } = (await call(campaignEndpoint)).body as { data: Record<string, unknown> }
    assert.deepEqual(
      [described['pfPoints'], described['plsPoints'], described['pointsPerTask']],
      [pfPoints, plsPoints, 5_000],
    )

    const [ann, ben] = [await claim(), await claim()]
    const approve = (body: { pfPoints: number; plsPoints: number }) =>
      call(approveClaim, { token: adm.token, params: { taskId: ann.claimId }, body })
    for (const wrong of [
      { pfPoints: pfPoints + 1, plsPoints },
      { pfPoints, plsPoints: plsPoints - 1 },
      { pfPoints: 20_000, plsPoints: 20_000 },
      ...(pfPoints === plsPoints ? [] : [{ pfPoints: plsPoints, plsPoints: pfPoints }]),
    ])
      assert.equal((await approve(wrong)).body.code, 'wrong_points', JSON.stringify(wrong))
    assert.deepEqual(await ledgerOf(db, ann.id), {})

    const approved = await approve({ pfPoints, plsPoints })
    assert.equal(approved.status, 200)
    const granted = approved.body.data as { pfPoints: number; plsPoints: number }
    assert.deepEqual([granted.pfPoints, granted.plsPoints], [pfPoints, plsPoints])
    assert.deepEqual(await ledgerOf(db, ann.id), { pf: pfPoints, pls: plsPoints })
    const [mail] = (await api.mailsTo(ann.email)).filter(({ subject }) => subject.includes('approved'))
    assert.ok(mail?.text.includes(`It earned you ${words}.`), mail?.text)

    const both = { decision: 'approve', claimIds: [ben.claimId] }
    assert.equal((await call(decideClaims, { token: adm.token, body: both })).status, 200)
    await reviewer.undo(ann.claimId)
    assert.deepEqual(await ledgerOf(db, ann.id), { pf: 0, pls: 0 })
    await reviewer.approve(ann.claimId)
    await assertLedgerInvariants(deps)

    const live = await frozen(deps)
    // PF points are worth one token each, PLS points half a coin.
    const expected = [2n * BigInt(pfPoints) * 10n ** 18n, BigInt(plsPoints) * 10n ** 18n]
    assert.deepEqual([live.recipients, live.pf, live.pls], [2, ...expected])
    const entries = await assertSealed(db)
    const decisions = entries.filter(({ action }) => action === 'claim.approved')
    assert.equal(decisions.length, 3)
    for (const { after } of decisions)
      assert.deepEqual([after?.['pfPoints'], after?.['plsPoints']], [pfPoints, plsPoints])
  })
}

test('GET /campaign says what each task is worth; `points` is that of the token', async (t) => {
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

test('tasks without points in the coin credit, mail and pay none', async (t) => {
  const tasks = tasksOf(2).map((task) => ({ ...task, points: { pf: 1, pls: 0 } }))
  const api = await payoutApi(t, campaignOf(tasks))
  const { id, email } = await api.approved()
  assert.deepEqual(await ledgerOf(api.db, id), { pf: 2 })
  const mail = (await api.mailsTo(email)).find(({ subject }) => subject.includes('approved'))
  assert.ok(mail?.text.includes('It earned you 2 PF points.'), mail?.text)
  const live = await frozen(api.deps)
  assert.deepEqual([live.pf, live.pls], [2n * 10n ** 18n, 0n])
  await assertLedgerInvariants(api.deps)
})
