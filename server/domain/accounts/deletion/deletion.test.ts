import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { register } from '#contract/accounts/accounts.ts'
import { deleteOwnAccount, exportOwnData } from '#contract/accounts/own-account.ts'
import { deletePerson } from '#contract/dashboard/person.ts'
import { login } from '#contract/accounts/sessions.ts'
import { newId } from '#server/platform/database/ids.ts'
import { advanceTime } from '#server/testing/advance-time.ts'
import { PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { createAdmin, type TestUser } from '#server/testing/builders/create-users.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertSlotInvariants, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { assertLedgerJournaled, assertSealed, entriesOf } from '#server/testing/journal.ts'
import { readConsent, setConsent } from '#server/domain/announcements/consent.ts'
import { suppress } from '#server/domain/mail/suppressions.ts'
import { submitProof } from '../../claims/submission/submit-proof.ts'
import { checkLedger } from '../../ledger/check-ledger.ts'
import { purgeExpired } from '../registration/purge.ts'

const PROOF = { ...freshProof(), telegram: '@canary_telegram', wallet: `0x${'c4'.repeat(20)}` }
const CANARY_WORDS = 'Canary words of a reviewer.'

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const adm = await createAdmin(api)
  const ann = await createUserWithPassword(api)
  const remove = (person: TestUser, body: object = {}) =>
    api.call(deleteOwnAccount, {
      token: person.token,
      body: { password: PASSWORD, confirmation: person.username, ...body },
    })
  const removeAnnAsAdmin = (confirmation: string) =>
    api.call(deletePerson, { token: adm.token, params: { userId: ann.id }, body: { confirmation } })
  return { api, adm, ann, remove, removeAnnAsAdmin, reviewer: reviewerOn(api.deps, adm) }
}

/** Like {@link setUp}, but ann was invited, has a claim and an announcement, and her email is suppressed. */
async function setUpTraces(t: TestContext, isApproved: boolean) {
  const setup = await setUp(t)
  const { api, ann, reviewer } = setup
  const referrer = await createUserWithPassword(api)
  await api.db.updateTable('users').set({ referred_by: referrer.id }).where('id', '=', ann.id).execute()
  const claimId = await claim(api, ann, PROOF)
  await api.runClaimChecks()
  await reviewer.reject(claimId, { text: CANARY_WORDS })
  await reviewer.undo(claimId)
  if (isApproved) await reviewer.approve(claimId)
  await suppress(api.db, ann.email, '550 5.1.1 User unknown')
  const announcement = { id: newId(), subject: 'News', body: 'News' }
  await api.db.insertInto('announcements').values(announcement).execute()
  const recipient = { announcement: announcement.id, user_id: ann.id, job: newId() }
  await api.db.insertInto('announcement_recipients').values(recipient).execute()
  return setup
}

const claim = async ({ deps }: TestApi, { id }: TestUser, proof = freshProof()) =>
  (await submitProof(deps, id, proof))._id

/** The rows of each table as text. */
async function dump({ db }: TestApi): Promise<{ table: string; text: string }[]> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`.execute(db)
  const texts: { table: string; text: string }[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(t::text, ' '), '') as text from ${sql.table(name)} t`.execute(db)
    texts.push(...rows.map(({ text }) => ({ table: name, text })))
  }
  return texts
}

async function assertConsistent({ deps, db }: TestApi) {
  await assertLedgerInvariants(deps)
  await assertSlotInvariants(deps)
  await assertLedgerJournaled(db)
  assert.deepEqual(await checkLedger(db), [])
  await assertSealed(db)
}

for (const isApproved of [false, true])
  test(`a deleted account with an ${isApproved ? 'approved' : 'undecided'} claim leaves nothing personal behind, and everything else consistent`, async (t) => {
    const { api, ann, remove, removeAnnAsAdmin } = await setUpTraces(t, isApproved)
    const proof = [PROOF.telegram.slice(1), PROOF.wallet, PROOF.retweetLink]
    const canaries = [ann.email, ann.referralCode, ...proof, CANARY_WORDS].map((text) => text.toLowerCase())
    const before = JSON.stringify(await dump(api)).toLowerCase()
    for (const canary of canaries) assert.ok(before.includes(canary), `${canary} is in the database`)

    const { status, body } = await remove(ann)
    assert.deepEqual([status, body.message], [200, 'The account has been deleted.'])
    assert.equal(
      (await api.mailsTo(ann.email)).length,
      1,
      'only the confirmation is left, which has her email',
    )
    await api.db.deleteFrom('jobs').where('kind', '=', 'mail').execute()
    // Searched for as a whole column, because other texts may contain a short username by chance.
    const username = ann.username.toLowerCase()
    // Rate limits may name the email for a day, and the username stays taken for a day.
    const texts = (await dump(api)).filter(({ table }) => table !== 'rate_limits' && table !== 'usernames')
    for (const { table, text } of texts)
      for (const canary of [...canaries, `(${username},`, `,${username},`])
        assert.ok(!text.toLowerCase().includes(canary), `${table} still has ${canary}`)
    assert.deepEqual(await api.db.selectFrom('announcement_recipients').selectAll().execute(), [])

    const { rows } = await sql`
      select c.status, c.reason_code, s.state as slot, u.referred_by is not null as keeps_inviter, b.listed
      from users u join claims c on c.user_id = u.id join standings b on b.user_id = u.id
      left join slots s on s.user_id = u.id where u.id = ${ann.id}`.execute(api.db)
    // The inviter's reward is taken back, so nothing depends on the invitation any more.
    const approved = { status: 'approved', reason_code: null, slot: 'claimed', keeps_inviter: false }
    const rejected = { status: 'rejected', reason_code: 'account_deleted', slot: null, keeps_inviter: false }
    assert.deepEqual(rows, [{ ...(isApproved ? approved : rejected), listed: false }])
    await assertConsistent(api)
    // Checks that were queued before the deletion find nothing to check.
    await api.runClaimChecks()
    assert.deepEqual(await api.db.selectFrom('evidence').selectAll().execute(), [])
    assert.equal((await removeAnnAsAdmin('deleted')).body.code, 'person_deleted')
    await setConsent(api.db, ann.id, true)
    assert.equal(await readConsent(api.db, ann.id), false, 'nobody consents to announcements afterwards')
  })

test('refuses to delete an account without its password and username, and to delete an administrator', async (t) => {
  const { api, ann, remove, removeAnnAsAdmin } = await setUp(t)
  const wrong = await remove(ann, { password: 'not it' })
  assert.deepEqual([wrong.status, wrong.body.fields], [400, { password: 'Your current password is wrong.' }])
  const other = await remove(ann, { confirmation: `${ann.username}x` })
  assert.deepEqual(other.body.fields, { confirmation: 'This doesn’t match the account’s username.' })
  assert.equal((await removeAnnAsAdmin('someone')).status, 400)
  const admin = await createUserWithPassword(api, { role: 'admin' })
  assert.deepEqual(refusalOf(await remove(admin)), [409, 'administrator_account'])
})

test('an account that an administrator deletes gets a confirmation in its language', async (t) => {
  const { api, adm, ann, removeAnnAsAdmin } = await setUp(t)
  await sql`update users set locale = 'es' where id = ${ann.id}`.execute(api.db)
  assert.equal((await removeAnnAsAdmin(ann.username)).status, 200)
  assert.match((await api.newestMailTo(ann.email)).subject, /^Eliminamos tu cuenta/)
  const [entry] = await entriesOf(api.db, { action: 'user.deleted' })
  assert.equal(entry?.actor, adm.id)
})

test('username and email stay taken for a day, without any answer that reveals the account', async (t) => {
  const { api, ann, remove } = await setUp(t)
  await remove(ann)
  const registerAgain = (username: string, email = ann.email) =>
    api.call(register, { body: { username, email, password: PASSWORD } })
  assert.equal((await registerAgain(ann.username, 'other@mail.example')).body.code, 'username_taken')
  assert.equal((await registerAgain('somebody-new')).status, 201)
  const { text } = await api.newestMailTo(ann.email)
  assert.match(text, /less than 24 hours ago/)
  assert.doesNotMatch(text, /\d{6}/)
  const asIfPending = await api.call(login, { body: { email: ann.email, password: PASSWORD } })
  assert.deepEqual(refusalOf(asIfPending), [403, 'email_unverified'])

  await advanceTime(api.pool, '25 hours')
  await purgeExpired(api.db)
  assert.equal((await api.db.selectFrom('held_emails').selectAll().execute()).length, 0)
  await api.participant({ username: ann.username, email: ann.email }) // registers again
})

const downloadData = ({ call }: TestApi, { token }: TestUser, password = PASSWORD) =>
  call(exportOwnData, { token, body: { password } })

test('the copy of one’s own data has what is stored about its owner, and nothing about anyone else', async (t) => {
  const { api, adm, ann, reviewer } = await setUp(t)
  const friend = await createUserWithPassword(api)
  await api.db.updateTable('users').set({ referred_by: ann.id }).where('id', '=', friend.id).execute()
  const claimId = await claim(api, ann, { ...PROOF, wallet: `0x${'d5'.repeat(20)}` })
  await api.runClaimChecks()
  await reviewer.reject(claimId, { text: CANARY_WORDS })

  assert.equal((await downloadData(api, ann, 'not it')).body.code, 'current_password_wrong')
  const { body, text } = await downloadData(api, ann)
  for (const own of [ann.email, ann.username, 'canary_telegram', CANARY_WORDS, 'claim-received'])
    assert.ok(text.includes(own), own)
  const others = [friend.username, friend.email, friend.id, adm.username, adm.id, '192.0.2.1'] // adm's network
  for (const foreign of [...others, 'password']) assert.ok(!text.includes(foreign), foreign)
  const data = body.data as Record<'journal' | 'sessions', unknown[]> & {
    claims: { evidence: unknown[] }[]
    referrals: unknown
  }
  assert.deepEqual(data.referrals, { invitedBy: null, invited: 1 })
  assert.ok((data.claims[0]?.evidence.length ?? 0) > 0)
  assert.ok(data.journal.length > 0)
  assert.equal(data.sessions.length, 1)
})
