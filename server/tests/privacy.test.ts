import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '#contract/api.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { Task } from '#contract/entities.ts'
import { approveClaim, submitProof } from '#contract/claims/claims.ts'
import { testApi } from '../testing/api.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { freshProof } from '../testing/builders/proof.ts'

/** Calls that end sessions have tests of their own. */
const isCrawled = (endpoint: Endpoint) => endpoint.method === 'GET' || endpoint.path.startsWith('/tasks')

test('no answer to the public or another participant contains private data', async (t) => {
  const api = await testApi(t)
  const { db, deps } = api
  const people = await createUsers(db, deps.campaign.id, 30, {
    email: (index) => `canary${index}.secret@mail.example`,
  })
  const [adm] = await createUsers(db, deps.campaign.id, 1, {
    role: 'admin',
    email: () => 'canary.team@mail.example',
  })
  const [spy] = await createUsers(db, deps.campaign.id, 1)
  const proofs = []
  const claims: string[] = []
  for (const [index, { token }] of people.entries()) {
    const proof = { ...freshProof(), telegram: `canary_tele_${index}x` }
    proofs.push(proof)
    const { body } = await api.call(submitProof, { token, body: proof })
    claims.push((body.data as Task)._id)
  }
  await api.runClaimChecks()
  const amounts = { pfPoints: 20_000, plsPoints: 20_000 }
  for (const taskId of claims.slice(0, 10)) {
    const { status } = await api.call(approveClaim, { token: adm.token, params: { taskId }, body: amounts })
    assert.equal(status, 200)
  }
  const secrets = [
    ...people.flatMap(({ id, email, token }) => [id, email, token]),
    ...proofs.flatMap(({ wallet, telegram, twitter, retweetLink }) => [
      wallet,
      telegram,
      `"${twitter.slice(1)}"`,
      retweetLink,
    ]),
    ...claims,
    adm.email,
    adm.id,
    `"${adm.username}"`,
    'password_hash',
    'passwordHash',
    'secret@',
    'canonical_email',
    'token_hash',
  ].map((secret) => secret.toLowerCase())

  const taken = proofs[0] ?? assert.fail()
  const inputs: unknown[] = [undefined, {}, taken, { ...freshProof(), wallet: taken.wallet }, amounts]
  const params = {
    taskId: claims[15] ?? '',
    code: people[0]?.referralCode ?? '',
    contract: deps.campaign.token.contract,
  }
  let inspected = 0
  for (const endpoint of ENDPOINTS.filter(isCrawled)) {
    for (const token of [undefined, spy.token]) {
      const bodies = endpoint.method === 'GET' ? [undefined] : inputs
      const queries = endpoint.path.endsWith('leaderboard')
        ? [
            { page: 1, limit: 100 },
            { page: 2, limit: 7 },
          ]
        : [{}]
      for (const body of bodies) {
        for (const query of queries) {
          const answer = await api.call(endpoint, { token, body, query, params })
          const text = (JSON.stringify(answer.body) + JSON.stringify(answer.headers)).toLowerCase()
          assert.ok(answer.status < 500)
          const leaked = secrets.filter((secret) => text.includes(secret))
          assert.deepEqual(
            leaked,
            [],
            `${endpoint.method} ${endpoint.path} as ${token ? 'participant' : 'anybody'}`,
          )
          inspected += text.length
        }
      }
    }
  }
  assert.ok(inspected > 20_000, 'answers were checked')
  assert.equal((await db.selectFrom('claims').select('id').execute()).length, 30, 'nothing changed')
})
