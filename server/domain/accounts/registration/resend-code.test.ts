import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountApi, apiWithAccount, cookieOf, EMAIL } from '#server/testing/account-api.ts'
import { queuedMails } from '#server/testing/queued-mails.ts'
import { comparable } from '#server/testing/checks/comparable.ts'

test('defaults to the purpose verify-email and rejects unknown purposes', async (t) => {
  const api = await apiWithAccount(t)
  assert.equal((await api.resend()).status, 200)
  assert.equal((await api.resend(EMAIL, 'verify-email')).body.code, 'code_cooldown', 'it is the default')
  assert.deepEqual(await queuedMails(api.db), [], 'no registration is pending')
  await api.resend(EMAIL, 'reset-password')
  const templates = (await queuedMails(api.db)).map(({ template }) => template)
  assert.deepEqual(templates, ['reset-password'])
  for (const purpose of ['login', 'verify', '__proto__', 'constructor']) {
    const { status, body } = await api.resend(EMAIL, purpose)
    assert.deepEqual([status, body.fields], [400, { purpose: 'Choose one of the options.' }])
  }
})

test('mails a code for the newest registration after the cooldown, but not for expired ones', async (t) => {
  const api = await accountApi(t)
  await api.register({ username: 'one' })
  assert.equal((await api.resend()).body.code, 'code_cooldown')
  await api.passCooldown()
  await api.register({ username: 'two' })
  await api.register({ username: 'three' })
  assert.equal((await api.resend()).body.code, 'code_cooldown')
  assert.equal((await api.scheduledMails()).length, 1)
  await api.advance('2 minutes')
  await api.deliver()
  const earlier = await api.mailsTo(EMAIL)
  await api.resend()
  const [resent] = (await api.mailsTo(EMAIL)).slice(earlier.length)
  assert.ok(resent?.text.includes('“three”'))

  await api.deliver()
  await api.advance('25 hours')
  const expired = await api.resend()
  assert.equal(expired.status, 200)
  assert.equal(comparable(expired), comparable(await api.resend('nobody@mail.example')))
  assert.deepEqual(await api.db.selectFrom('jobs').select('id').where('done_at', 'is', null).execute(), [])
})

test('mails a code for the browser’s own registration even if others registered the email later', async (t) => {
  const api = await accountApi(t)
  const cookie = cookieOf(await api.register({ username: 'mine' }))
  await api.passCooldown()
  await api.register({ username: 'theirs' })
  await api.passCooldown()
  assert.equal((await api.resend(EMAIL, 'verify-email', cookie)).status, 200)
  const code = await api.codeFor(EMAIL)
  assert.ok((await api.newestMailTo(EMAIL)).text.includes('“mine”'))
  await api.passCooldown()
  assert.equal((await api.resend()).status, 200)
  assert.ok((await api.newestMailTo(EMAIL)).text.includes('“theirs”'))
  assert.equal((await api.verify(code)).status, 200)
})
