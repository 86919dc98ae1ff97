import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaderboard } from '#contract/leaderboard.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'

const keys = (value: unknown) => Object.keys(value as object).toSorted()

test('GET /users/leaderboard: ten entries a page with the contract’s fields and masked emails, even the caller’s own', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 12, {
    email: (index) => `canary.${index}@mail.example`,
  })
  const { status, body } = await api.call(leaderboard)
  assert.equal(status, 200)
  assert.deepEqual(keys(body), ['data', 'pagination'])
  assert.deepEqual(body['pagination'], { currentPage: 1, totalPages: 2, totalItems: 12 })
  const entries = body.data as Record<string, unknown>[]
  assert.equal(entries.length, 10)
  for (const [index, entry] of entries.entries()) {
    const fields = 'email pfPoints plsPoints rank referralReward totalPoints username'
    assert.equal(keys(entry).join(' '), fields)
    assert.partialDeepStrictEqual(entry, { rank: index + 1, email: 'ca•••@mail.example', totalPoints: 0 })
  }
  const forAnn = await api.call(leaderboard, { token: ann?.token })
  assert.deepEqual(forAnn.body, body)
})

test('GET /users/leaderboard: accepts page and limit within their bounds, and refuses other values and fields', async (t) => {
  const api = await testApi(t)
  const ask = (query: Record<string, string | number>) => api.call(leaderboard, { query })
  assert.equal((await ask({ page: 1, limit: 1 })).status, 200)
  assert.equal((await ask({ page: 1_000_000, limit: 100 })).status, 200)
  await assertInvalid(ask, [
    [{ page: 0 }, { page: 'number_range' }],
    [{ limit: 0 }, { limit: 'number_range' }],
    [{ limit: 101 }, { limit: 'number_range' }],
    [{ page: 1_000_001 }, { page: 'number_range' }],
    [{ page: -1 }, { page: 'number_format' }],
    [{ page: '1.5' }, { page: 'number_format' }],
    [{ page: '' }, { page: 'number_format' }],
    [{ page: '1e3' }, { page: 'number_format' }],
    [{ page: '1;drop table users' }, { page: 'number_format' }],
    [{ limit: '٣' }, { limit: 'number_format' }],
    [
      { limit: '9'.repeat(30), page: 'x' },
      { limit: 'number_format', page: 'number_format' },
    ],
    [{ sort: 'email' }, { sort: 'unknown_field' }],
  ])
  const twice = await api.inject({
    url: '/api/v1/users/leaderboard?page=1&page=2',
    headers: { host: 'localhost:3000' },
  })
  assert.equal(twice.status, 400)
})
