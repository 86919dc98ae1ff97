import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { render } from '../mail/templates.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { codeOf } from './codes/one-time-codes.ts'
import { accountMails } from './mail.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')
const context = { campaign, publicUrl: 'https://site.example', keys }
const NONCE = randomBytes(16).toString('base64url')

const mailOf = (template: string, username = 'alice', given = context) =>
  render({ template, to: 'al@mail.example', values: { username, nonce: NONCE } }, accountMails, given)

const SIX_DIGITS = /(?<!\d)\d{6}(?!\d)/g

for (const template of ['verify-email', 'reset-password']) {
  test(`${template}: both parts show the code, the only run of exactly six digits in the text, and name the account, the HTML as it is`, () => {
    const withoutRun = ['al-ice.9', 'a12345', 'a1234567', '1704067200000', '12345-67890']
    for (const username of [...withoutRun, 'a123456', '000000', '123456.654321']) {
      const { text, html, subject } = mailOf(template, username)
      assert.deepEqual(text.match(SIX_DIGITS), [codeOf(keys, NONCE)], username)
      assert.ok(html.includes(`>${codeOf(keys, NONCE)}</p>`), username)
      assert.equal(subject.match(SIX_DIGITS), null, 'no code in the subject, which locked screens show')
      assert.ok(html.includes(`“${username}”`), username)
      const broken = username.replace(/(?<!\d)(\d{3})(\d{3})(?!\d)/g, '$1\u2060$2')
      assert.ok(text.includes(`“${broken}”`), username)
      assert.equal(broken === username, withoutRun.includes(username), username)
    }
  })
}

test('a username that looks like a domain does not become a link in a mail program', () => {
  const names = 'evil.com www.evil.Example a-b.shop evil.com. evil.com-1 evil.xn--p1ai'.split(' ')
  for (const username of names) {
    const { text, html } = mailOf('verify-email', username)
    const broken = username.replaceAll(/\.(?!$)/g, '.\u2060')
    assert.ok(html.includes(`“${broken}”`) && !html.includes(username), username)
    assert.ok(text.includes(`“${username}”`), 'the text part leaves the name as it is')
  }
})

test('links only to the site’s own origin', () => {
  for (const template of ['account-exists', 'password-changed']) {
    const { html } = mailOf(template)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
    assert.ok(links.length > 0)
    for (const link of links) assert.equal(new URL(link).origin, 'https://site.example')
  }
})

test('tells the owner that nothing changed and how to log in', () => {
  const { text } = mailOf('account-exists')
  assert.match(text, /You already have an account: “alice”/)
  assert.match(text, /https:\/\/site\.example\/login/)
  assert.match(text, /https:\/\/site\.example\/forgot-password/)
})

test('escapes the campaign’s texts in HTML', () => {
  const evil = { ...campaign, name: '<img src=x onerror=alert(1)> & "Co"' }
  const { html, text } = mailOf('verify-email', 'alice', { ...context, campaign: evil })
  assert.ok(!html.includes('<img'))
  assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Co&quot;'))
  assert.ok(text.includes('<img'))
})

test('derives evenly distributed codes of six digits, including leading zeros', () => {
  const codes = Array.from({ length: 20_000 }, () => codeOf(keys, randomBytes(16).toString('base64url')))
  assert.ok(codes.every((code) => /^[0-9]{6}$/.test(code)))
  assert.ok(codes.some((code) => code.startsWith('0')))
  for (let position = 0; position < 6; position += 1) {
    const counts = new Map<string, number>()
    for (const code of codes) counts.set(code[position] ?? '', (counts.get(code[position] ?? '') ?? 0) + 1)
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 2_000) ** 2 / 2_000, 0)
    // Chi-squared, nine degrees of freedom: a uniform distribution exceeds 45 less than once in a million.
    assert.ok(counts.size === 10 && chiSquare < 45, `position ${position}: ${chiSquare}`)
  }
})

test('derives different codes from different secrets', () => {
  const others = deriveKeys('another secret, as long as the first one')
  const nonces = Array.from({ length: 8 }, () => randomBytes(16).toString('base64url'))
  const codesWith = (known: typeof keys) => nonces.map((nonce) => codeOf(known, nonce)).join()
  assert.equal(codesWith(keys), codesWith(keys))
  assert.notEqual(codesWith(keys), codesWith(others))
})

test('throws for an unknown template', () => {
  assert.throws(() => mailOf('no-such-template'), /no mail template no-such-template/)
})
