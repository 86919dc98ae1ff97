import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postLink } from './post-link.ts'

test('links the URL of a post', () => {
  for (const host of ['x.com', 'twitter.com', 'www.x.com', 'mobile.twitter.com'])
    assert.equal(postLink(`https://${host}/pip/status/1`), `https://${host}/pip/status/1`)
})

test('returns null for any other text', () => {
  const hostile = [
    'javascript:alert(1)',
    'http://x.com/pip/status/1',
    'https://x.com.evil.example/pip/status/1',
    'https://x.com@evil.example/',
    'https://x.com:8443/pip/status/1',
    'https://user:secret@x.com/pip/status/1',
    'data:text/html,x.com',
    '//x.com/pip',
    '',
  ]
  for (const text of hostile) assert.equal(postLink(text), null, text)
})
