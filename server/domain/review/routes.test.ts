import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/dashboard/review.ts'
import { newId } from '#server/platform/database/ids.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'

test('lists, searches and decides claims in bulk, with an outcome for each', async (t) => {
  const api = await testApi(t)
  const { deps, db } = api
  const people = await createUsers(db, deps.campaign.id, 7)
  const [adm, boss] = await createUsers(db, deps.campaign.id, 2, { role: 'admin' })
  const ids: string[] = []
  for (const { id } of [...people, adm]) ids.push((await submitProof(deps, id, freshProof()))._id)
  const list = async (query: Record<string, string | number>) => {
    const { status, body } = await api.call(contract.listClaims, { token: adm.token, query })
    assert.equal(status, 200, JSON.stringify(body))
    return { rows: body.data as contract.ReviewRow[], next: body['next'] as string | null }
  }
  for (const sort of ['age', 'risk']) {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list({ sort, limit: 3, ...(cursor ? { cursor } : {}) })
      seen.push(...page.rows.map(({ _id }) => _id))
      cursor = page.next
    }
    assert.deepEqual(seen, ids, sort)
  }
  const found = await list({ search: people[2]?.username ?? '' })
  assert.deepEqual([found.rows.length, found.rows[0]?._id], [1, ids[2]])
  await api.call(contract.lockClaim, { token: boss.token, params: { claimId: ids[1] ?? '' } })
  const unknown = newId()
  const { body } = await api.call(contract.decideClaims, {
    token: adm.token,
    body: { decision: 'approve', claimIds: [ids[0], ids[1], ids[7], unknown] },
  })
  const outcomes = (body.data as { outcome: string; by: string | null }[]).map(({ outcome, by }) => [
    outcome,
    by,
  ])
  assert.deepEqual(outcomes, [
    ['done', null],
    ['claim_locked', boss.username],
    ['own_claim', null],
    ['claim_not_found', null],
  ])
  assert.equal((await list({ filter: 'decided' })).rows.length, 1)
  const summary = await api.call(contract.reviewSummary, { token: adm.token })
  assert.equal((summary.body.data as { waiting: number }).waiting, 7)
  const one = await api.call(contract.reviewClaim, { token: adm.token, params: { claimId: ids[1] ?? '' } })
  assert.equal((one.body.data as contract.ReviewClaim).lock?.by, boss.username)
  assert.equal((await api.call(contract.listClaims, { token: people[0]?.token })).status, 403)
})
