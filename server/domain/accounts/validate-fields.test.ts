import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dictionary } from '@zxcvbn-ts/language-common'
import campaign from '#server/testing/campaign.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { checkPassword, checkUsername, readEmail, lookalikeKey } from './validate-fields.ts'

async function refusedFields(check: () => unknown): Promise<Record<string, string> | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'invalid_input')
    return error.details.fields
  }
}

const PLAIN = [
  'al@mail.example',
  "o'brien+tag@sub.mail.example",
  'a.b_c-d@x-y.co',
  '!#$&*/=?^`{|}~@mail.example',
  `${'l'.repeat(64)}@mail.example`,
  '1@9.example',
]
for (const typed of PLAIN) {
  test(`accepts ${typed} as an email, unchanged`, () => assert.equal(readEmail(typed).address, typed))
}

const FORBIDDEN = [...'\u0000\n\r\t "(),:;<>[]\\%\u202e']
const FORBIDDEN_IN_DOMAINS = [...FORBIDDEN, ...'/?#!_']
const WRONG_NAMES = ['', '.al', 'al.', 'a..l', 'ål', 'al@', 'a@b', '"al@evil.example"', 'l'.repeat(65)]
const WRONG_DOTS = ['mail..example', '.mail.example', 'mail.example.', '-mail.example', 'mail-.example']
const ADDRESSES = ['[127.0.0.1]', '127.0.0.1', '0x7f.1']
const NO_DOMAINS = ['', 'localhost', 'mail%2eexample', 'evil.example＠mail.example', ...ADDRESSES]
const LONG_DOMAINS = [`${'d'.repeat(64)}.example`, `${'dd.'.repeat(90)}example`]
const REFUSED = [
  ...FORBIDDEN.map((character) => `al${character}eve@mail.example`),
  ...FORBIDDEN_IN_DOMAINS.map((character) => `al@evil.example${character}mail.example`),
  ...WRONG_NAMES.map((name) => `${name}@mail.example`),
  ...[...WRONG_DOTS, ...NO_DOMAINS, ...LONG_DOMAINS].map((domain) => `al@${domain}`),
  '',
  'plain',
  'al@mail.example\u0000',
  'al@mail.example\r\nBcc: eve@evil.example',
  'al@mail.example\nRCPT TO:<eve@evil.example>',
  'Al <al@mail.example>',
  '"al@mail.example" <eve@evil.example>',
  'al!evil.example@mail.example@',
  'mailto:al@mail.example',
]
for (const typed of REFUSED) {
  test(`rejects ${JSON.stringify(typed).slice(0, 60)} as an email`, async () =>
    assert.deepEqual(await refusedFields(() => readEmail(typed)), { email: 'email_format' }))
}

const READ: [typed: string, address: string][] = [
  ['  al@mail.example ', 'al@mail.example'],
  ['\u202aal@mail.example\u202c', 'al@mail.example'],
  ['Al@MAIL.example', 'Al@mail.example'],
  ['al@bücher.example', 'al@xn--bcher-kva.example'],
  ['al@BÜCHER.example', 'al@xn--bcher-kva.example'],
  ['ａｌ＠ｍａｉｌ．ｅｘａｍｐｌｅ', 'al@mail.example'],
  ['al@mail。example', 'al@mail.example'],
]
for (const [typed, address] of READ) {
  test(`reads ${JSON.stringify(typed)} as ${address}`, () => assert.equal(readEmail(typed).address, address))
}

const CANONICAL: [typed: string, canonical: string][] = [
  ['al.ice+x@mail.example', 'al.ice@mail.example'],
  ['A.L+x+y@gmail.com', 'al@gmail.com'],
  ['a.l@googlemail.com', 'al@gmail.com'],
  ['+ann@mail.example', '+ann@mail.example'],
  ['++ann+x@mail.example', '++ann@mail.example'],
]
for (const [typed, canonical] of CANONICAL) {
  test(`finds aliases of ${typed} by ${canonical}, but accounts by the typed address in lower case`, () => {
    const email = readEmail(typed)
    assert.deepEqual([email.canonical, email.key], [canonical, typed.toLowerCase()])
  })
}

const OFFICIAL = (
  'admin Support NO-REPLY dropwright Admin_ .a.d.m.i.n. adm1n ADMlN admin2026 1admin r00t rnod ' +
  'Pocket_Future P0cketFuture pocket.future1 PF_ pf-official Team.PF PF1'
).split(' ')
test('reserves usernames that resemble the team or the campaign in any spelling', async () => {
  const refusalOf = (name: string) => refusedFields(() => checkUsername(name, campaign))
  for (const name of OFFICIAL)
    assert.deepEqual(await refusalOf(name), { username: 'username_reserved' }, name)
  const free = ['administrate', 'al', 'supporter', 'pfeifer', 'Modena', 'rooty', 'future', 'team_spirit']
  for (const name of free) assert.equal(await refusalOf(name), undefined, name)
})

test('gives look-alike usernames one key', () => {
  for (const alike of [
    ['Alice', 'ALICE', 'al.ice', 'a-l_ice', 'a1ice', 'AIice', 'al1ce'],
    ['Bob', 'b0b', 'BOB_', '.bob'],
    ['marvin', 'rnarvin', 'marv1n', 'ma.rvin'],
    ['willow', 'vvillow', 'w1ll0w', 'v-v1llow'],
  ])
    assert.equal(new Set(alike.map(lookalikeKey)).size, 1, alike.join(' '))
  const different = ['alice', 'alize', 'bob', 'bobb', 'bo2', 'bo3', 'mavin']
  assert.equal(new Set(different.map(lookalikeKey)).size, different.length)
})

const known = { username: 'Al.Ice', email: readEmail('walrus77@mail.example'), campaign }
const refusedPassword = (password: string, more: { isAdmin?: boolean } = {}) =>
  refusedFields(() => checkPassword(password, { ...known, ...more }))

test('rejects common passwords of eight characters or more in upper and lower case', async () => {
  const common = dictionary['passwords-common'].filter((word) => word.length >= 8)
  assert.ok(common.length >= 10_000)
  const sampled = common.filter((_word, index) => index % Math.floor(common.length / 50) === 0)
  for (const word of sampled) {
    assert.deepEqual(await refusedPassword(word), { password: 'password_common' }, word)
    assert.deepEqual(await refusedPassword(word.toUpperCase()), { password: 'password_common' }, word)
  }
})

const GUESSABLE = [
  'al.ice',
  'Al.Ice2026!',
  '!!al.ice!!',
  'walrus77',
  'WALRUS77-2026',
  'Pocket Future',
  'pocketfuture1',
  'PF202620262026',
  'pf pf pf pf pf',
  'al.ice walrus77',
  'AAAAaaaa',
  '        ',
  '123123123',
  '12341234',
  '010101010101',
  '87654321',
  '0987654321',
  'abcdefgh',
]
for (const password of GUESSABLE) {
  test(`rejects ${password} as a password, because it is common or made of known words`, async () =>
    assert.deepEqual(await refusedPassword(password), { password: 'password_common' }))
}

const FINE = [
  'correct horse battery staple',
  '8401 2937 5510 2231',
  '8401293755102231',
  'al.ice likes tea',
  'pocket of futures',
  'aaaaaaaab',
  'abcdefgi',
  '12345123451',
  'aaaaaaaaaaaaa',
  '🦊🐢🦉🐙🦋🐝🐞🦀',
  '  leading and trailing  ',
]
for (const password of FINE) {
  test(`accepts ${password} as a password`, async () =>
    assert.equal(await refusedPassword(password), undefined))
}

test('requires a password of fifteen code points, not UTF-16 units, from an administrator', async () => {
  const tooShort = { password: 'password_short_admin' }
  assert.deepEqual(await refusedPassword('x'.repeat(14), { isAdmin: true }), tooShort)
  assert.deepEqual(await refusedPassword('🦊'.repeat(14), { isAdmin: true }), tooShort)
  assert.equal(await refusedPassword('🦊'.repeat(15), { isAdmin: true }), undefined)
  assert.equal(await refusedPassword('fourteen chars'), undefined, 'a participant')
})
