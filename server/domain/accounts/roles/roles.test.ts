import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { answerRoleOffer, ownAccount } from '#contract/accounts/own-account.ts'
import { changeRole } from '#contract/dashboard/person.ts'
import { PASSWORD, testApi } from '#server/testing/api.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { entriesOf } from '#server/testing/journal.ts'

const LONG = 'an administrator passphrase'

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const [adm, boss] = await createUsers(api.db, api.deps.campaign.id, 2, { role: 'admin' })
  const ann = await createUserWithPassword(api)
  const change = async (person: TestUser, role: 'admin' | 'user', by = adm) => {
    const given = { token: by.token, params: { userId: person.id }, body: { role } }
    const { status, body } = await api.call(changeRole, given)
    return [status, body.code ?? body.message]
  }
  const answer = (body: object) => api.call(answerRoleOffer, { token: ann.token, body })
  const accept = (newPassword: string, currentPassword = PASSWORD) =>
    answer({ answer: 'accept', currentPassword, newPassword })
  const roleOf = async ({ id }: TestUser) =>
    (await api.db.selectFrom('users').select('role').where('id', '=', id).executeTakeFirstOrThrow()).role
  const isListed = async ({ id }: TestUser) => {
    const standings = api.db.selectFrom('standings').select('listed').where('user_id', '=', id)
    return (await standings.executeTakeFirstOrThrow()).listed
  }
  const isOffered = async () => {
    const { body } = await api.call(ownAccount, { token: ann.token })
    return (body.data as { isOfferedRole: boolean }).isOfferedRole
  }
  return { api, adm, boss, ann, change, answer, accept, roleOf, isListed, isOffered }
}

test('an offered role is taken with a long password of one’s own, which ends all sessions', async (t) => {
  const { api, ann, adm, change, accept, roleOf, isListed, isOffered } = await setUp(t)
  const early = await accept(LONG)
  assert.deepEqual([early.status, early.body.code], [409, 'no_role_offer'])
  assert.equal((await change(ann, 'admin'))[0], 200)
  assert.deepEqual([await roleOf(ann), await isOffered()], ['user', true])
  assert.match((await api.mailsTo(ann.email)).at(-1)?.text ?? '', /accept or decline on your profile/)
  const short = await accept('fourteen chars')
  assert.deepEqual(short.body.fields, { newPassword: 'Administrators need at least 15 characters.' })
  const wrong = await accept(LONG, 'not the password')
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'current_password_wrong'])
  assert.equal(await roleOf(ann), 'user')
  assert.equal((await accept(LONG)).status, 200)
  assert.deepEqual([await roleOf(ann), await isListed(ann)], ['admin', false])
  assert.equal((await api.call(ownAccount, { token: ann.token })).status, 401)
  assert.equal((await api.logIn(ann.email, LONG)).user.role, 'admin')
  const entries = await entriesOf(api.db, { subject: ann.id })
  const changes = entries.map(({ actor, action, after }) => [actor, action, after])
  assert.deepEqual(changes, [
    [adm.id, 'role.offered', { role: 'admin' }],
    [ann.id, 'role.changed', { role: 'admin', offered_by: adm.id }],
  ])
})

test('an offer can be declined and withdrawn', async (t) => {
  const { ann, change, answer, accept, isOffered } = await setUp(t)
  await change(ann, 'admin')
  assert.deepEqual(await change(ann, 'admin'), [409, 'role_unchanged'])
  assert.equal((await answer({ answer: 'decline' })).status, 200)
  assert.equal(await isOffered(), false)
  await change(ann, 'admin')
  assert.deepEqual(await change(ann, 'user'), [200, 'The offer has been withdrawn.'])
  assert.deepEqual((await accept(LONG)).body.code, 'no_role_offer')
  assert.deepEqual(await change(ann, 'user'), [409, 'role_unchanged'])
})

test('withdrawing the role ends sessions and returns to the leaderboard, but never takes the last one', async (t) => {
  const { api, adm, boss, change, roleOf, isListed } = await setUp(t)
  assert.deepEqual(await change(adm, 'user'), [403, 'own_account'])
  assert.deepEqual(await change(boss, 'user'), [200, 'They’re no longer an administrator.'])
  assert.deepEqual([await roleOf(boss), await isListed(boss)], ['user', true])
  assert.equal((await api.call(ownAccount, { token: boss.token })).status, 401)
  assert.match((await api.mailsTo(boss.email)).at(-1)?.text ?? '', /has removed your administrator role/)
})
