import assert from 'node:assert/strict'
import { test } from 'node:test'
import { submitProof } from '#contract/claims/claims.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith } from '#server/testing/races.ts'

const SLOTS = 30

test('three hundred participants on two nodes get exactly thirty slots, without server errors', async (t) => {
  const api = await testApi(t, { campaign: campaignWith({ slots: SLOTS }) })
  const other = await api.anotherNode()
  const people = await createUsers(api.db, api.deps.campaign.id, 300)
  // Every tenth participant submits to both nodes.
  const answers = await Promise.all(
    people.flatMap(({ id, token }, index) => {
      const body = freshProof()
      const sendTo = async ({ call }: typeof other) => ({ id, ...(await call(submitProof, { token, body })) })
      if (index % 10 === 0) return [sendTo(api), sendTo(other)]
      return [sendTo(index % 2 ? other : api)]
    }),
  )
  const claims = await api.db.selectFrom('claims').select(['user_id', 'slot']).orderBy('slot').execute()
  const owners = new Set(claims.map((claim) => claim.user_id))
  const numbers = claims.map((claim) => claim.slot)
  assert.deepEqual(
    numbers,
    Array.from({ length: SLOTS }, (_, index) => index + 1),
  )
  assert.equal(owners.size, SLOTS)
  const { slots_taken } = await api.db.selectFrom('campaigns').select('slots_taken').executeTakeFirstOrThrow()
  assert.equal(slots_taken, SLOTS)

  const created = answers.filter(({ status }) => status === 201)
  const claimants = new Set(created.map(({ id }) => id))
  assert.deepEqual(claimants, owners, 'exactly the participants with a 201 have a claim')
  assert.equal(created.length, SLOTS)
  for (const { id, status, body } of answers.filter((answer) => answer.status !== 201)) {
    assert.equal(status, 409)
    assert.equal(body.code, owners.has(id) ? 'already_claimed' : 'slots_gone')
  }
})
