import assert from 'node:assert/strict'
import { test } from 'node:test'
import { submitProof } from '#contract/claims/claims.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { campaignWith } from '#server/testing/races.ts'

const SLOTS = 30

test('three hundred participants on two nodes get exactly thirty slots, without server errors', async (t) => {
  const here = await testApi(t, { campaign: campaignWith({ slots: SLOTS }) })
  const there = await here.anotherNode()
  const { db, deps } = here
  const people = await createUsers(db, deps.campaign.id, 300)
  // Every tenth participant submits to both nodes.
  const answers = await Promise.all(
    people.flatMap(({ id, token }, index) => {
      const body = freshProof()
      const nodes = index % 10 === 0 ? [here, there] : [index % 2 === 0 ? here : there]
      return nodes.map(async ({ call }) => ({ id, ...(await call(submitProof, { token, body })) }))
    }),
  )

  const claims = await db.selectFrom('claims').select(['user_id', 'slot']).orderBy('slot').execute()
  const numbers = claims.map(({ slot }) => slot)
  const expected = Array.from({ length: SLOTS }, (_, index) => index + 1)
  assert.deepEqual(numbers, expected)
  const owners = new Set(claims.map(({ user_id }) => user_id))
  assert.equal(owners.size, SLOTS)
  const { slots_taken } = await db.selectFrom('campaigns').select('slots_taken').executeTakeFirstOrThrow()
  assert.equal(slots_taken, SLOTS)

  const created = answers.filter(({ status }) => status === 201).map(({ id }) => id)
  assert.deepEqual(created.toSorted(), [...owners].toSorted(), 'who has a claim got exactly one 201')
  for (const { id, status, body } of answers.filter((answer) => answer.status !== 201)) {
    assert.equal(status, 409)
    assert.equal(body.code, owners.has(id) ? 'already_claimed' : 'slots_gone')
  }
})
