import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { Task } from '#contract/entities.ts'
import { approveClaim, submitProof } from '#contract/claims/claims.ts'
import { testApi, type TestApi } from '../testing/api.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { freshProof } from '../testing/builders/proof.ts'

type Proof = ReturnType<typeof freshProof>

/** All calls that read; and all calls about claims (`/tasks`), since their answers contain a claim. */
const isCrawled = (endpoint: Endpoint) => endpoint.method === 'GET' || endpoint.path.startsWith('/tasks')

type Canaries = Awaited<ReturnType<typeof createCanaries>>

/** Ten participants, of whom two have an approved claim and one an undecided claim, and their reviewer. */
async function createCanaries({ db, deps, call, runClaimChecks }: TestApi) {
  const people = await createUsers(db, deps.campaign.id, 10, {
    email: (index) => `canary${index}.secret@mail.example`,
  })
  const [administrator] = await createUsers(db, deps.campaign.id, 1, {
    role: 'admin',
    email: () => 'canary.team@mail.example',
  })
  const proofs: Proof[] = []
  const claimIds: string[] = []
  for (const [index, { token }] of people.slice(0, 3).entries()) {
    const proof = { ...freshProof(), telegram: `canary_tele_${index}x` }
    const { body } = await call(submitProof, { token, body: proof })
    proofs.push(proof)
    claimIds.push((body.data as Task)._id)
  }
  await runClaimChecks()
  for (const taskId of claimIds.slice(0, 2)) {
    const approval = { token: administrator.token, params: { taskId }, body: AMOUNTS }
    assert.equal((await call(approveClaim, approval)).status, 200)
  }
  return { people, administrator, proofs, claimIds }
}

const AMOUNTS = { pfPoints: 20_000, plsPoints: 20_000 }

/** What must not leak, in lower case. Names are in quotes, because they may be part of other words. */
const secretsOf = ({ people, administrator, proofs, claimIds }: Canaries) =>
  [
    ...people.flatMap(({ id, email, token }) => [id, email, token]),
    ...proofs.flatMap(({ wallet, telegram, retweetLink }) => [wallet, telegram, retweetLink]),
    ...proofs.map(({ twitter }) => `"${twitter.slice(1)}"`),
    ...claimIds,
    administrator.email,
    administrator.id,
    `"${administrator.username}"`,
    'password_hash',
    'passwordHash',
    'secret@',
    'canonical_email',
    'token_hash',
  ].map((secret) => secret.toLowerCase())

function inputsFor({ method, path }: Endpoint, taken: Proof) {
  if (path.endsWith('leaderboard'))
    return [{ query: { page: 1, limit: 100 } }, { query: { page: 2, limit: 7 } }]
  if (method === 'GET') return [{}]
  const bodies = [undefined, {}, taken, { ...freshProof(), wallet: taken.wallet }, AMOUNTS]
  return bodies.map((body) => ({ body }))
}

test('no answer to the public or another participant contains private data', async (t) => {
  const api = await testApi(t)
  const { db, deps } = api
  const canaries = await createCanaries(api)
  const secrets = secretsOf(canaries)
  const [stranger] = await createUsers(db, deps.campaign.id, 1)
  const taken = canaries.proofs[0] ?? assert.fail()
  const params = {
    taskId: canaries.claimIds.at(-1) ?? '', // the undecided claim
    code: canaries.people[0]?.referralCode ?? '',
    contract: deps.campaign.token.contract,
  }
  let inspectedLength = 0
  for (const endpoint of ENDPOINTS.filter(isCrawled))
    for (const token of [undefined, stranger.token])
      for (const input of inputsFor(endpoint, taken)) {
        const { status, body, headers } = await api.call(endpoint, { token, params, ...input })
        const text = (JSON.stringify(body) + JSON.stringify(headers)).toLowerCase()
        const call = `${endpoint.method} ${endpoint.path} as ${token ? 'participant' : 'anybody'}`
        assert.ok(status < 500, call)
        const leaked = secrets.filter((secret) => text.includes(secret))
        assert.deepEqual(leaked, [], call)
        inspectedLength += text.length
      }
  assert.ok(inspectedLength > 20_000, `only ${inspectedLength} characters were inspected`)
  const claims = await db.selectFrom('claims').select('id').execute()
  assert.equal(claims.length, canaries.claimIds.length, 'a claim was added or lost')
})
