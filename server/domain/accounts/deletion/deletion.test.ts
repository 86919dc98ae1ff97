import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { register } from '#contract/accounts/accounts.ts'
import { submitProof } from '#contract/claims/claims.ts'
import { deleteOwnAccount, exportOwnData } from '#contract/accounts/own-account.ts'
import { deletePerson } from '#contract/dashboard/person.ts'
import { login } from '#contract/accounts/sessions.ts'
import { PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import {
  createUserWithPassword,
  createUsersWithPassword,
} from '#server/testing/builders/users-with-password.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertSlotsFit, reviewerOn } from '#server/testing/builders/reviewer.ts'
import { assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { assertLedgerJournaled, assertSealed, entriesOf } from '#server/testing/journal.ts'
import { readConsent, setConsent } from '#server/domain/announcements/consent.ts'
import { suppress } from '#server/domain/mail/suppression/suppressions.ts'
import { checkLedger } from '../../ledger/check-ledger.ts'
import { purgeAccounts } from '../registration/purge.ts'

const PROOF = { ...freshProof(), telegram: '@canary_telegram', wallet: `0x${'c4'.repeat(20)}` }

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const ann = await createUserWithPassword(api)
  const remove = (person: TestUser, body: object = {}) =>
    api.call(deleteOwnAccount, {
      token: person.token,
      body: { password: PASSWORD, confirmation: person.username, ...body },
    })
  const removeAnn = (confirmation: string) =>
    api.call(deletePerson, { token: adm.token, params: { userId: ann.id }, body: { confirmation } })
  return { api, adm, ann, remove, removeAnn, reviewer: reviewerOn(api.deps, adm) }
}

async function claim({ call }: TestApi, { token }: TestUser, proof = freshProof()): Promise<string> {
  const { status, body } = await call(submitProof, { token, body: proof })
  assert.equal(status, 201, JSON.stringify(body))
  return (body.data as { _id: string })._id
}

/** All rows of all tables as text, one for each table. */
async function dump({ db }: TestApi): Promise<[table: string, text: string][]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`.execute(db)
  const texts: [string, string][] = []
  for (const { name } of rows) {
    const { rows: found } = await sql<{ text: string | null }>`
      select string_agg(t::text, ' ') as text from ${sql.table(name)} t`.execute(db)
    texts.push([name, found[0]?.text ?? ''])
  }
  return texts
}

async function assertConsistent({ deps, db }: TestApi) {
  await assertLedgerInvariants(deps)
  await assertSlotsFit(deps)
  await assertLedgerJournaled(db)
  assert.deepEqual(await checkLedger(db), [])
  await assertSealed(db)
}

for (const isApproved of [false, true])
  test(`a deleted account leaves nothing personal behind, with a claim that is ${isApproved ? 'approved' : 'undecided'}`, async (t) => {
    const { api, ann, remove, removeAnn, reviewer } = await setUp(t)
    const { id: referrer } = await createUserWithPassword(api)
    await api.db.updateTable('users').set({ referred_by: referrer }).where('id', '=', ann.id).execute()
    const claimId = await claim(api, ann, PROOF)
    await api.runClaimChecks()
    await reviewer.reject(claimId, 'Canary words of a reviewer.')
    await reviewer.undo(claimId)
    if (isApproved) await reviewer.approve(claimId)
    const { username, email, referralCode } = ann
    await suppress(api.db, email, '550 5.1.1 User unknown')
    await sql`with one as (insert into announcements (id, subject, body) values (gen_random_uuid(), 'News', 'News') returning id)
      insert into announcement_recipients (announcement, user_id, job) select id, ${ann.id}, gen_random_uuid() from one`.execute(
      api.db,
    )
    const before = JSON.stringify(await dump(api)).toLowerCase()
    const shown = [PROOF.telegram.slice(1), PROOF.wallet, PROOF.retweetLink]
    const canaries = [email, referralCode, ...shown, 'canary words'].map((canary) => canary.toLowerCase())
    for (const canary of canaries) assert.ok(before.includes(canary), `${canary} was there`)

    const { status, body } = await remove(ann)
    assert.deepEqual([status, body.message], [200, 'The account has been deleted.'])
    const mail = (await api.mailsTo(email)).map(({ subject }) => subject)
    assert.deepEqual(mail.length, 1, 'only the confirmation is left')
    await api.db.deleteFrom('jobs').where('kind', '=', 'mail').execute()
    // Rate limits may name the email for another day, and the username stays taken for one.
    for (const [table, text] of await dump(api))
      for (const canary of [...canaries, `(${username.toLowerCase()},`, `,${username.toLowerCase()},`])
        if (table !== 'rate_limits' && table !== 'usernames')
          assert.ok(!text.toLowerCase().includes(canary), `${table} still has ${canary}`)

    assert.deepEqual(await api.db.selectFrom('announcement_recipients').selectAll().execute(), [])
    const { rows } = await sql`
      select c.status, c.reason_code, s.state as slot, u.referred_by is not null as keeps_inviter, b.listed
      from users u join claims c on c.user_id = u.id join standings b on b.user_id = u.id
      left join slots s on s.user_id = u.id where u.id = ${ann.id}`.execute(api.db)
    const approved = { status: 'approved', reason_code: null, slot: 'claimed', keeps_inviter: true }
    const rejected = { status: 'rejected', reason_code: 'account_deleted', slot: null, keeps_inviter: false }
    assert.deepEqual(rows, [{ ...(isApproved ? approved : rejected), listed: false }])
    await assertConsistent(api)
    // Checks that were queued before find nothing to check.
    await api.runClaimChecks()
    assert.equal((await api.db.selectFrom('evidence').select('claim_id').execute()).length, 0)
    assert.equal((await removeAnn('deleted')).body.code, 'person_deleted')
  })

test('requires the password and the username, refuses to delete an administrator, and confirms in the language of the account', async (t) => {
  const { api, adm, ann, remove, removeAnn } = await setUp(t)
  const wrong = await remove(ann, { password: 'not it' })
  assert.deepEqual([wrong.status, wrong.body.fields], [400, { password: 'Your current password is wrong.' }])
  const other = await remove(ann, { confirmation: `${ann.username}x` })
  assert.deepEqual(other.body.fields, { confirmation: 'This doesn’t match the account’s username.' })
  const administrator = await api.administrator()
  const refused = await api.call(deleteOwnAccount, {
    token: administrator.token,
    body: { password: administrator.password, confirmation: administrator.username },
  })
  assert.deepEqual([refused.status, refused.body.code], [409, 'administrator_account'])
  assert.equal((await removeAnn('someone')).status, 400)
  await sql`update users set locale = 'es' where id = ${ann.id}`.execute(api.db)
  assert.equal((await removeAnn(ann.username)).status, 200)
  assert.match((await api.mailsTo(ann.email)).at(-1)?.subject ?? '', /^Eliminamos tu cuenta/)
  const [entry] = await entriesOf(api.db, { action: 'user.deleted' })
  assert.equal(entry?.actor, adm.id)
})

test('consent to announcements that arrives after the deletion does nothing', async (t) => {
  const { api, ann, remove } = await setUp(t)
  assert.equal((await remove(ann)).status, 200)
  await setConsent(api.db, ann.id, true)
  assert.equal(await readConsent(api.db, ann.id), false)
})

test('username and email stay taken for a day, and no answer reveals that the email had an account', async (t) => {
  const { api, ann, remove } = await setUp(t)
  await remove(ann)
  const again = (username: string, email = ann.email) =>
    api.call(register, { body: { username, email, password: PASSWORD } })
  assert.equal((await again(ann.username, 'other@mail.example')).body.code, 'username_taken')
  assert.equal((await again('somebody-new')).status, 201)
  const text = (await api.mailsTo(ann.email)).at(-1)?.text ?? ''
  assert.match(text, /less than 24 hours ago/)
  assert.doesNotMatch(text, /\d{6}/)
  const unknown = await api.call(login, { body: { email: ann.email, password: PASSWORD } })
  assert.deepEqual([unknown.status, unknown.body.code], [403, 'email_unverified'])

  await sql`update held_emails set until = now() - interval '1 second'`.execute(api.db)
  await sql`update usernames set held_until = now() - interval '1 second' where user_id is null`.execute(
    api.db,
  )
  await sql`update registrations set expires_at = now() - interval '1 second'`.execute(api.db)
  await sql`delete from codes`.execute(api.db)
  await purgeAccounts(api.db)
  assert.equal((await api.db.selectFrom('held_emails').selectAll().execute()).length, 0)
  const back = await api.participant({ username: ann.username, email: ann.email })
  assert.equal(back.user.username, ann.username)
})

test('the copy of one’s own data has what is stored about its owner, and nothing about anyone else', async (t) => {
  const { api, adm, ann, reviewer } = await setUp(t)
  const [friend] = await createUsersWithPassword(api, 1)
  await api.db.updateTable('users').set({ referred_by: ann.id }).where('id', '=', friend.id).execute()
  const claimId = await claim(api, ann, { ...PROOF, wallet: `0x${'d5'.repeat(20)}` })
  await api.runClaimChecks()
  await reviewer.reject(claimId, 'Canary words of a reviewer.')
  const [user_id, token_hash] = [ann.id, randomBytes(32)]
  const origin = { device: 'Firefox on Linux', network: '203.0.113.…' }
  await api.db.updateTable('sessions').set(origin).where('user_id', '=', user_id).execute()
  const last_seen_at = sql<Date>`now() - interval '25 hours'`
  const expired = { user_id, token_hash, last_seen_at, device: 'Edge on Windows' }
  await api.db.insertInto('sessions').values(expired).execute()
  const download = (password: string) => api.call(exportOwnData, { token: ann.token, body: { password } })
  assert.equal((await download('not it')).body.code, 'current_password_wrong')
  const { status, body, text } = await download(PASSWORD)
  assert.equal(status, 200)
  const known = [ann.email, ann.username, 'canary_telegram', 'Canary words of a reviewer.', 'claim-received']
  for (const part of known) assert.ok(text.includes(part), part)
  const others = [friend.username, friend.email, friend.id, adm.username, adm.id]
  for (const part of [...others, '192.0.2.1', 'password']) assert.ok(!text.includes(part), part)
  const data = body.data as {
    claims: { evidence: unknown[] }[]
    referrals: unknown
    sessions: { device: unknown; network: unknown }[]
    journal: unknown[]
  }
  assert.ok((data.claims[0]?.evidence.length ?? 0) > 0)
  assert.deepEqual(data.referrals, { invitedBy: null, invited: 1 })
  const sessions = data.sessions.map(({ device, network }) => [device, network])
  assert.deepEqual(sessions, [['Firefox on Linux', '203.0.113.…']], 'without those that have expired')
  assert.ok(data.journal.length > 0)
})
