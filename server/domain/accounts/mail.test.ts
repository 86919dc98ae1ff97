import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { MAIL_CONTEXT } from '#server/testing/deps.ts'
import { render } from '../mail/templates.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { codeOf } from './codes/one-time-codes.ts'
import { accountMails } from './mail.ts'

const { campaign, keys } = MAIL_CONTEXT
const newNonce = () => randomBytes(16).toString('base64url')
const NONCE = newNonce()

const mailOf = (template: string, username = 'alice', context = MAIL_CONTEXT) =>
  render({ template, to: 'al@mail.example', values: { username, nonce: NONCE } }, accountMails, context)

const SIX_DIGITS = /(?<!\d)\d{6}(?!\d)/g

for (const template of ['verify-email', 'reset-password']) {
  test(`${template}: no other six digits in the text look like a code, whatever the username`, () => {
    // A bar marks where the text divides six digits in a username with a word joiner.
    const divided = 'al-ice.9 a12345 a1234567 1704067200000 12345-67890 a123|456 000|000 123|456.654|321'
    for (const inText of divided.split(' ')) {
      const username = inText.replaceAll('|', '')
      const { text, html, subject } = mailOf(template, username)
      assert.deepEqual(text.match(SIX_DIGITS), [codeOf(keys, NONCE)], username)
      assert.ok(html.includes(`>${codeOf(keys, NONCE)}</p>`), username)
      assert.equal(subject.match(SIX_DIGITS), null, 'no code in the subject, which locked screens show')
      assert.ok(html.includes(`“${username}”`), username)
      assert.ok(text.includes(`“${inText.replaceAll('|', '\u2060')}”`), username)
    }
  })
}

test('a username that looks like a domain does not become a link in a mail program', () => {
  const names = 'evil.com www.evil.Example a-b.shop evil.com. evil.com-1 evil.xn--p1ai'.split(' ')
  for (const username of names) {
    const { text, html } = mailOf('verify-email', username)
    const unlinked = username.replaceAll(/\.(?!$)/g, '.\u2060')
    assert.ok(html.includes(`“${unlinked}”`) && !html.includes(username), username)
    assert.ok(text.includes(`“${username}”`), 'the text part leaves the name as it is')
  }
})

test('tells the owner of an existing account that nothing has changed, with links to the site only', () => {
  assert.match(
    mailOf('account-exists').text,
    /You already have an account: “alice”[^]*Your account hasn’t changed\./,
  )
  const linksIn = ({ html }: { html: string }) =>
    [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  const [login, newPassword] = ['https://site.example/login', 'https://site.example/forgot-password']
  assert.deepEqual(linksIn(mailOf('account-exists')), [login, newPassword])
  assert.deepEqual(linksIn(mailOf('password-changed')), [newPassword])
})

test('escapes the campaign’s texts in HTML', () => {
  const evil = { ...campaign, name: '<img src=x onerror=alert(1)> & "Co"' }
  const { html, text } = mailOf('verify-email', 'alice', { ...MAIL_CONTEXT, campaign: evil })
  assert.ok(!html.includes('<img'))
  assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Co&quot;'))
  assert.ok(text.includes('<img'))
})

test('keeps the line breaks and the direction of the reason for a ban in a right-to-left email', () => {
  const values = { reason: 'Five accounts.\nOne each.' }
  const mail = { template: 'account-banned', to: 'al@mail.example', values }
  const { html } = render(mail, accountMails, MAIL_CONTEXT, 'ar')
  assert.match(html, /<p dir="auto" style="white-space:pre-line">Five accounts\.\nOne each\.<\/p>/)
})

test('derives evenly distributed codes of six digits, including leading zeros', () => {
  const codes = Array.from({ length: 5_000 }, () => codeOf(keys, newNonce()))
  const expected = codes.length / 10
  assert.ok(codes.every((code) => /^[0-9]{6}$/.test(code)))
  for (let position = 0; position < 6; position += 1) {
    let chiSquare = 0
    for (const digit of '0123456789') {
      const count = codes.filter((code) => code[position] === digit).length
      chiSquare += (count - expected) ** 2 / expected
    }
    // With nine degrees of freedom, a uniform distribution exceeds 45 less than once in a million.
    assert.ok(chiSquare < 45, `position ${position}: ${chiSquare}`)
  }
})

test('derives the same codes from the same secret, and different codes from another secret', () => {
  const otherKeys = deriveKeys('another secret, as long as the first one')
  const nonces = Array.from({ length: 8 }, newNonce)
  const codesWith = (secrets: typeof keys) => nonces.map((nonce) => codeOf(secrets, nonce)).join()
  assert.equal(codesWith(keys), codesWith(keys))
  assert.notEqual(codesWith(keys), codesWith(otherKeys))
})

test('throws for an unknown template', () => {
  assert.throws(() => mailOf('no-such-template'), /no mail template no-such-template/)
})
