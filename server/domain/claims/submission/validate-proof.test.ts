import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Proof } from '#contract/claims/proof.ts'
import { postIdAt, postTime, readPostLink } from '#contract/claims/x-post.ts'
import campaign from '#server/testing/campaign.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { validateProof } from './validate-proof.ts'

const EIP55 = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const VALID: Proof = {
  wallet: EIP55,
  telegram: '@moon_boy',
  twitter: '@MoonBoy',
  retweetLink: 'https://x.com/MoonBoy/status/2006000000000000001',
}

const validate = (changes: Partial<Proof>) => validateProof({ ...VALID, ...changes }, campaign)

/** The reasons by field, as keys of `messages/`. Empty for a valid proof. */
function reasonsFor(changes: Partial<Proof>): Record<string, string> {
  try {
    validate(changes)
    return {}
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'invalid_input')
    return error.details.fields ?? {}
  }
}

test('normalizes wallet checksum, handles and link', () => {
  assert.deepEqual(validate({}), {
    wallet: EIP55,
    telegram: 'moon_boy',
    twitter: 'MoonBoy',
    postId: '2006000000000000001',
    retweetLink: VALID.retweetLink,
  })
})

test('wallets: accepts one case or a valid checksum; refuses burn addresses and the token', () => {
  const digits = EIP55.slice(2)
  for (const wallet of [
    EIP55,
    `0x${digits.toLowerCase()}`,
    `0x${digits.toUpperCase()}`,
    ` ${EIP55}\n`,
    `\u2066${EIP55}\u2069`,
  ])
    assert.equal(validate({ wallet }).wallet, EIP55, wallet)
  // Burn addresses begin with 32 zeros, or are known ones.
  const oneZeroLess = `0x${'0'.repeat(31)}${'1'.repeat(9)}`
  assert.equal(validate({ wallet: oneZeroLess }).wallet, oneZeroLess)
  const token = campaign.token.contract
  const refusedWallets: Record<string, string[]> = {
    wallet_checksum: [EIP55.replace('aA', 'Aa'), EIP55.replace('d', 'D')],
    wallet_burn: [
      `0x${'0'.repeat(40)}`,
      `0x${'0'.repeat(36)}dead`,
      `0x${'0'.repeat(36)}dEaD`,
      `0x${'0'.repeat(37)}369`,
      `0x${'0'.repeat(39)}1`,
      `0x${'0'.repeat(32)}a55e55ed`,
      '0xdEAD000000000000000042069420694206942069',
    ],
    wallet_token: [token, token.toLowerCase(), `0x${token.slice(2).toUpperCase()}`],
    wallet_format: [
      '',
      '0x',
      digits,
      EIP55.slice(0, -1),
      `${EIP55}0`,
      `0X${digits}`,
      `0x${'g'.repeat(40)}`,
      `0x${'٠'.repeat(40)}`,
      'vitalik.eth',
      `0x ${digits.slice(1)}`,
    ],
  }
  for (const [reason, wallets] of Object.entries(refusedWallets))
    for (const wallet of wallets) assert.deepEqual(reasonsFor({ wallet }), { wallet: reason }, wallet)
})

test('handles: accepts what Telegram and X allow, with or without one @', () => {
  for (const telegram of [
    'moon_boy',
    '@moon_boy',
    ' @moon_boy ',
    '\u200e@moon_boy\u200b',
    'abcd',
    `a${'b'.repeat(31)}`,
  ])
    assert.deepEqual(reasonsFor({ telegram }), {}, telegram)
  for (const telegram of [
    '',
    '@',
    '@@moon_boy',
    'abc',
    '1moon',
    '_moon',
    'moon_',
    `a${'b'.repeat(32)}`,
    'moon boy',
    'moonböy',
    // Both letters that look like “a” are Cyrillic.
    '@\u0430nn\u0430_',
    'https://t.me/moon_boy',
    '<b>moon',
  ])
    assert.deepEqual(reasonsFor({ telegram }), { telegram: 'telegram_format' }, telegram)

  for (const twitter of ['moonboy', '@MOONBOY', '  MoonBoy', '\u2066@MoonBoy\u2069 '])
    assert.deepEqual(reasonsFor({ twitter }), {}, twitter)
  for (const twitter of [
    '',
    '@',
    '@@moonboy',
    'a'.repeat(16),
    'moon-boy',
    'moon.boy',
    'm\u043eonboy',
    '=1+1',
  ])
    assert.deepEqual(reasonsFor({ twitter }), { twitter: 'twitter_format' }, twitter)
})

test('reports every invalid field at once', () => {
  assert.deepEqual(reasonsFor({ wallet: 'x', telegram: 'x', twitter: '', retweetLink: 'x' }), {
    wallet: 'wallet_format',
    telegram: 'telegram_format',
    twitter: 'twitter_format',
    retweetLink: 'retweet_link_format',
  })
})

test('refuses a link to the post of another handle', () => {
  assert.deepEqual(reasonsFor({ twitter: 'someone_else' }), { retweetLink: 'retweet_link_handle' })
  assert.deepEqual(reasonsFor({ twitter: 'moonbo' }), { retweetLink: 'retweet_link_handle' })
  assert.equal(validate({ twitter: 'mOONbOY' }).retweetLink, VALID.retweetLink)
})

test('normalizes the host of a post link, and drops its query and fragment', () => {
  for (const link of [
    'https://x.com/MoonBoy/status/77',
    'https://www.x.com/MoonBoy/status/77',
    'https://mobile.x.com/MoonBoy/status/77',
    'https://twitter.com/MoonBoy/status/77',
    'https://www.twitter.com/MoonBoy/status/77/',
    'https://mobile.twitter.com/MoonBoy/status/77?s=20&t=abc',
    'HTTPS://X.COM/MoonBoy/status/77#top',
    'https://x.com/MoonBoy/status/77?next=javascript:alert(1)',
    'https://x.com/MoonBoy/status/0077',
    ' https://x.com/MoonBoy/status/77 ',
    '\ufeffhttps://x.com/MoonBoy/status/77\u200e',
  ])
    assert.equal(validate({ retweetLink: link }).retweetLink, 'https://x.com/MoonBoy/status/77', link)
})

const HOSTILE_LINKS = [
  '',
  'x.com/MoonBoy/status/77',
  '//x.com/MoonBoy/status/77',
  'javascript:alert(1)//https://x.com/MoonBoy/status/77',
  'javascript://x.com/MoonBoy/status/77%0aalert(1)',
  'java\tscript:alert(1)',
  'data:text/html;https://x.com/MoonBoy/status/77',
  'blob:https://x.com/MoonBoy/status/77',
  'http://x.com/MoonBoy/status/77',
  'https:x.com/MoonBoy/status/77',
  'https:/x.com/MoonBoy/status/77',
  'https://x.com.evil.example/MoonBoy/status/77',
  'https://evil.example/x.com/MoonBoy/status/77',
  'https://evilx.com/MoonBoy/status/77',
  'https://x.com@evil.example/MoonBoy/status/77',
  'https://evil.example#@x.com/MoonBoy/status/77',
  'https://user@x.com/MoonBoy/status/77',
  'https://@x.com/MoonBoy/status/77',
  'https://:@x.com/MoonBoy/status/77',
  'https://x.com:443/MoonBoy/status/77',
  'https://x.com:/MoonBoy/status/77',
  'https://x.com./MoonBoy/status/77',
  'https://x。com/MoonBoy/status/77',
  'https://ｘ.com/MoonBoy/status/77',
  // The letter that looks like “x” is Cyrillic.
  'https://\u0445.com/MoonBoy/status/77',
  'https://%78.com/MoonBoy/status/77',
  'https://x.com\\MoonBoy\\status\\77',
  'https:\\\\x.com\\MoonBoy\\status\\77',
  'https://x.com\\@evil.example/MoonBoy/status/77',
  'https://x.com/MoonBoy/status/77?a=\\b',
  'https://x.com/Moon\u200eBoy/status/77',
  'https://x.com/Moon\tBoy/status/77',
  'ht\ntps://x.com/MoonBoy/status/77',
  'https://x.com/MoonBoy/status/77\nhttps://evil.example',
  'https://x.com/evil/../MoonBoy/status/77',
  'https://x.com//MoonBoy/status/77',
  'https://x.com/Moon%42oy/status/77',
  'https://x.com/MoonBoy/status/77/photo/1',
  'https://x.com/MoonBoy/status/',
  'https://x.com/MoonBoy/status/7e7',
  'https://x.com/MoonBoy/status/-77',
  'https://x.com/MoonBoy/status/٧٧',
  `https://x.com/MoonBoy/status/${'7'.repeat(21)}`,
  'https://x.com/i/web/status/77',
  'https://x.com/MoonBoy',
  'https://x.com/MoonBoy/likes/77',
  'https://t.co/abc',
  'https://[::1]/MoonBoy/status/77',
]

test('refuses anything but a plain link to a post', () => {
  for (const link of HOSTILE_LINKS) {
    assert.equal(readPostLink(link), undefined, JSON.stringify(link))
    assert.deepEqual(reasonsFor({ retweetLink: link }), { retweetLink: 'retweet_link_format' }, link)
  }
})

test('derives the time of a post from its id', () => {
  const epoch = new Date('2010-11-04T01:42:54.657Z')
  assert.deepEqual(postTime('0'), epoch)
  const madeAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
  const maxSequence = 2 ** 22 - 1
  const id = String((BigInt(madeAt - epoch.getTime()) << 22n) + BigInt(maxSequence))
  assert.equal(postTime(id).getTime(), madeAt)
  assert.equal(postIdAt(madeAt, maxSequence), id)
  assert.ok(!Number.isNaN(postTime('9'.repeat(20)).getTime()), 'the largest id that a link accepts')
})
