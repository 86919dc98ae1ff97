import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { answerRoleOffer, ownAccount } from '#contract/accounts/own-account.ts'
import { changeRole } from '#contract/dashboard/person.ts'
import { PASSWORD, testApi } from '#server/testing/api.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { claim } from '#server/testing/builders/slots.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { ban } from '../bans/ban.ts'

const ADMIN_PASSWORD = 'an administrator passphrase'

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const [admin, otherAdmin] = await createUsers(api.db, api.deps.campaign.id, 2, { role: 'admin' })
  const ann = await createUserWithPassword(api)
  const setRole = async (person: TestUser, role: 'admin' | 'user', by = admin) => {
    const change = { token: by.token, params: { userId: person.id }, body: { role } }
    const { status, body } = await api.call(changeRole, change)
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
  return { api, admin, otherAdmin, ann, setRole, answer, accept, roleOf, isListed, isOffered }
}

test('a participant becomes an administrator by accepting the offer with a longer password', async (t) => {
  const { api, ann, admin, setRole, accept, roleOf, isListed, isOffered } = await setUp(t)
  assert.deepEqual(refusalOf(await accept(ADMIN_PASSWORD)), [409, 'no_role_offer'])
  assert.equal((await setRole(ann, 'admin'))[0], 200)
  assert.deepEqual([await roleOf(ann), await isOffered()], ['user', true])
  assert.match((await api.newestMailTo(ann.email)).text, /accept or decline on your profile/)

  const short = await accept('fourteen chars')
  assert.deepEqual(short.body.fields, { newPassword: 'Administrators need at least 15 characters.' })
  const wrong = await accept(ADMIN_PASSWORD, 'not the password')
  assert.deepEqual(refusalOf(wrong), [400, 'current_password_wrong'])
  assert.equal(await roleOf(ann), 'user')

  assert.equal((await accept(ADMIN_PASSWORD)).status, 200)
  assert.deepEqual([await roleOf(ann), await isListed(ann)], ['admin', false])
  assert.equal((await api.call(ownAccount, { token: ann.token })).status, 401, 'the session has ended')
  assert.equal((await api.logIn(ann.email, ADMIN_PASSWORD)).user.role, 'admin')
  const entries = await entriesOf(api.db, { subject: ann.id })
  const changes = entries.map(({ actor, action, after }) => ({ actor, action, after }))
  assert.deepEqual(changes, [
    { actor: admin.id, action: 'role.offered', after: { role: 'admin' } },
    { actor: ann.id, action: 'role.changed', after: { role: 'admin', offered_by: admin.id } },
  ])
})

test('a role offer is over once it is declined or withdrawn, or its maker loses the role or is banned', async (t) => {
  const { api, admin, otherAdmin, ann, setRole, answer, accept, isOffered } = await setUp(t)
  await setRole(ann, 'admin')
  assert.deepEqual(await setRole(ann, 'admin'), [409, 'role_unchanged'])
  assert.equal((await answer({ answer: 'decline' })).status, 200)
  assert.equal(await isOffered(), false)
  await setRole(ann, 'admin')
  assert.deepEqual(await setRole(ann, 'user'), [200, 'The offer has been withdrawn.'])
  assert.equal((await accept(ADMIN_PASSWORD)).body.code, 'no_role_offer')
  assert.deepEqual(await setRole(ann, 'user'), [409, 'role_unchanged'])

  await setRole(ann, 'admin', otherAdmin)
  assert.equal(await isOffered(), true)
  await setRole(otherAdmin, 'user')
  assert.equal(await isOffered(), false)
  assert.deepEqual(refusalOf(await accept(ADMIN_PASSWORD)), [409, 'no_role_offer'])

  const [third] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  await setRole(ann, 'admin', third)
  assert.equal(await isOffered(), true)
  const misuse = { reason: 'Misuse of the dashboard.', revokesApproval: false }
  await ban(api.deps, { userId: third.id, ...misuse, by: { userId: admin.id } })
  assert.deepEqual(refusalOf(await accept(ADMIN_PASSWORD)), [409, 'no_role_offer'])
  const entries = await entriesOf(api.db, { subject: ann.id })
  const ends = entries.filter(({ action }) => action === 'role.offer_withdrawn')
  const actors = ends.map(({ actor }) => actor)
  assert.deepEqual(actors, [admin.id, admin.id, admin.id], 'withdrawn, maker without the role, maker banned')

  await setRole(ann, 'admin')
  assert.equal((await accept(ADMIN_PASSWORD)).status, 200, 'a later offer counts')
})

test('an administrator whose role is withdrawn loses all sessions and review locks, and is listed again', async (t) => {
  const { api, admin, otherAdmin, ann, setRole, roleOf, isListed } = await setUp(t)
  await reviewerOn(api.deps, otherAdmin).lock(await claim(api.deps, ann))
  assert.deepEqual(await setRole(admin, 'user'), [403, 'own_account'])
  assert.deepEqual(await setRole(otherAdmin, 'user'), [200, 'They’re no longer an administrator.'])
  assert.deepEqual([await roleOf(otherAdmin), await isListed(otherAdmin)], ['user', true])
  assert.deepEqual(await api.db.selectFrom('review_locks').selectAll().execute(), [])
  assert.equal((await api.call(ownAccount, { token: otherAdmin.token })).status, 401)
  assert.match((await api.newestMailTo(otherAdmin.email)).text, /has removed your administrator role/)
})
