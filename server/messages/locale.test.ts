import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changePassword, profile, register } from '#contract/accounts/accounts.ts'
import { chooseLocale, exportOwnData, ownAccount } from '#contract/accounts/own-account.ts'
import { login } from '#contract/accounts/sessions.ts'
import { submitProof } from '#contract/claims/claims.ts'
import { LOCALES, type Locale } from '#contract/locales.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { NEW_PASSWORD, PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { catalogIn } from './errors.ts'

let logins = 0
/** Each failing login has another email, so that no rate limit is reached. */
const failedLogin = () => ({
  body: { email: `nobody${(logins += 1)}@mail.example`, password: 'wrong' },
})
const refusalIn = (locale: Locale) => catalogIn(locale).messages.credentials_invalid

const localeOf = async ({ call }: TestApi, token: string) =>
  ((await call(ownAccount, { token })).body['data'] as { locale: string | null }).locale

test('a refusal is worded in the language that the application sends, else the chosen one, else the browser’s', async (t) => {
  const api = await testApi(t)
  // The application sends exactly one of our locales. A browser sends a list.
  const cases: [Record<string, string>, Locale][] = [
    [{}, 'en'],
    ...LOCALES.map((locale): [Record<string, string>, Locale] => [{ 'accept-language': locale }, locale]),
    [{ 'accept-language': 'es', cookie: 'locale=tr' }, 'es'],
    [{ 'accept-language': 'fr-FR,es;q=0.9', cookie: 'locale=tr' }, 'tr'],
    [{ cookie: 'theme=dark; locale=zh-Hans; other=x' }, 'zh-Hans'],
    [{ 'accept-language': 'fr-FR,es-MX;q=0.9,en;q=0.8' }, 'es'],
    [{ 'accept-language': 'pt-PT' }, 'pt-BR'],
    [{ 'accept-language': 'zh-CN,zh;q=0.9' }, 'zh-Hans'],
    [{ 'accept-language': 'fr' }, 'en'],
    [{ 'accept-language': '*' }, 'en'],
    [{ 'accept-language': `es,${'xx,'.repeat(5_000)}tr` }, 'es'],
    // Only the beginning of a long header is read.
    [{ 'accept-language': `${'xx,'.repeat(5_000)}es` }, 'en'],
  ]
  for (const [headers, locale] of cases) {
    const { status, body, headers: sent } = await api.call(login, { ...failedLogin(), headers })
    const shown = JSON.stringify(headers).slice(0, 200)
    assert.deepEqual([status, sent['content-language']], [401, locale], shown)
    assert.equal(body.message, refusalIn(locale), shown)
    assert.match(String(sent['vary']), /Accept-Language, Cookie, Authorization$/, shown)
  }
})

test('hostile cookies and headers yield an offered language and set no cookie', async (t) => {
  const api = await testApi(t)
  const hostile = [
    '__proto__',
    'constructor',
    'toString',
    'en/../../etc',
    '../es',
    'x'.repeat(8_000),
    'es\u0000',
    '%00%0d%0aset-cookie:a=b',
    'es;q=-1',
    ',,,;;q=NaN',
    '-'.repeat(500),
    'ES es',
  ]
  for (const value of hostile) {
    const printable = value.replaceAll(/[^\u0020-\u007E]/g, '')
    for (const headers of [
      { cookie: `locale=${encodeURIComponent(value)}` },
      { cookie: `locale=${printable}` },
      { 'accept-language': printable },
    ]) {
      const { status, body, headers: sent } = await api.call(login, { ...failedLogin(), headers })
      assert.equal(status, 401, value)
      assert.ok(LOCALES.some((locale) => locale === sent['content-language']))
      assert.equal(body.message, refusalIn(sent['content-language'] as Locale))
      assert.equal(sent['set-cookie'], undefined)
    }
  }
})

test('emails come in the account’s language; replies too, unless the browser has chosen another', async (t) => {
  const api = await testApi(t)
  const { token, email } = await api.participant()
  const ownLocale = () => localeOf(api, token)
  assert.equal(await ownLocale(), 'en', 'the language of the registration')
  const chosen = await api.call(chooseLocale, { token, body: { locale: 'es' } })
  assert.deepEqual([chosen.status, chosen.body.message], [200, catalogIn('en').answers.localeChosen])
  assert.equal(await ownLocale(), 'es')
  const body = { currentPassword: 'not this one', newPassword: NEW_PASSWORD }
  const refused = await api.call(changePassword, { token, body })
  assert.equal(refused.body.message, catalogIn('es').messages.current_password_wrong)
  const elsewhere = await api.call(changePassword, { token, body, headers: { cookie: 'locale=tr' } })
  assert.equal(elsewhere.body.message, catalogIn('tr').messages.current_password_wrong)
  await api.call(changePassword, { token, body: { ...body, currentPassword: PASSWORD } })
  const sent = (await api.mailsTo(email)).at(-1)
  assert.match(sent?.html ?? '', /^<!doctype html>\n<html lang="es">/)
  assert.match(sent?.text ?? '', /http:\/\/localhost:3000\/es\/forgot-password/)
})

test('an export of an account names its language and is worded in it', async (t) => {
  const api = await testApi(t)
  const { token } = await api.participant()
  await api.call(chooseLocale, { token, body: { locale: 'es' } })
  await api.call(submitProof, { token, body: freshProof() })
  await api.runClaimChecks()
  const copyIn = async (locale: Locale) => {
    await api.call(chooseLocale, { token, body: { locale } })
    const { body } = await api.call(exportOwnData, { token, body: { password: PASSWORD } })
    const { account, claims } = body['data'] as {
      account: { locale: string }
      claims: { evidence: { detail: string }[] }[]
    }
    return { locale: account.locale, details: claims[0]?.evidence.map(({ detail }) => detail) ?? [] }
  }
  const [spanish, english] = [await copyIn('es'), await copyIn('en')]
  assert.deepEqual([spanish.locale, english.locale], ['es', 'en'])
  assert.ok(spanish.details.length > 0)
  for (const detail of spanish.details) assert.ok(!english.details.includes(detail), detail)
})

test('an unknown language is refused and changes nothing', async (t) => {
  const api = await testApi(t)
  const { token } = await api.participant()
  for (const locale of ['fr', '', '__proto__', 'x'.repeat(5_000), null, 1, ['es']])
    assert.equal((await api.call(chooseLocale, { token, body: { locale } })).status, 400, String(locale))
  assert.equal(await localeOf(api, token), 'en')
})

test('a code comes in the language of the registration, from right to left in Arabic', async (t) => {
  const api = await testApi(t)
  const email = 'al@mail.example'
  const body = { username: 'alnilam', email, password: PASSWORD }
  await api.call(register, { body, headers: { 'accept-language': 'ar' } })
  const [mail] = await api.mailsTo(email)
  assert.match(mail?.html ?? '', /^<!doctype html>\n<html lang="ar" dir="rtl">/)
  assert.match(mail?.html ?? '', /<body[^>]*><div lang="ar" dir="rtl"/)
  assert.match(mail?.text ?? '', /\n\n {4}\d{6}\n\n/)
  assert.equal(mail?.text.match(/(?<!\d)\d{6}(?!\d)/g)?.length, 1, 'nothing else looks like a code')
  // Isolated, so that the Latin name does not reorder the Arabic sentence around it.
  assert.match(mail?.text ?? '', /\u2068alnilam\u2069/)
})

test('an account whose stored language is no longer offered gets answers and emails in English', async (t) => {
  const api = await testApi(t)
  const { token, email } = await api.participant()
  await api.db.updateTable('users').set({ locale: 'xx' }).where('email', '=', email).execute()
  const { status, headers } = await api.call(profile, { token })
  assert.deepEqual([status, headers['content-language']], [200, 'en'])
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  await api.call(changePassword, { token, body })
  const mail = (await api.mailsTo(email)).at(-1)
  assert.match(mail?.html ?? '', /<html lang="en">/)
  assert.match(mail?.text ?? '', /\/forgot-password/)
})
