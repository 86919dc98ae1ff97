import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBanner } from './banner.ts'

const URL = 'http://localhost:3000'
const DEVELOPMENT = { production: false, smtpUrl: undefined }
const READY = `Dropwright is ready: ${URL}`
const MAILS = `Mails are shown at ${URL}/dev/mailbox`
const SMTP_URL = 'smtp://mail.example.org'

test('prints the ready line and the mailbox to a pipe', () => {
  assert.deepEqual(startBanner(DEVELOPMENT, URL, false), [READY, MAILS])
  assert.deepEqual(startBanner({ ...DEVELOPMENT, smtpUrl: SMTP_URL }, URL, false), [READY])
})

test('prints the ready line alone in production, also at a terminal', () => {
  for (const isTerminal of [true, false])
    assert.deepEqual(startBanner({ production: true, smtpUrl: SMTP_URL }, URL, isTerminal), [READY])
})

test('prints addresses and the administrator command at a terminal, after the ready line', () => {
  const [first, ...rest] = startBanner(DEVELOPMENT, URL, true)
  assert.equal(first, READY)
  for (const expected of ['/dashboard', '/dev/mailbox', '/api/docs'])
    assert.ok(rest.some((line) => line.endsWith(URL + expected)))
  assert.ok(rest.some((line) => line.trim().startsWith('npm run admin -- create --email ')))
})

test('names no mailbox at a terminal where a mail server is set', () => {
  const lines = startBanner({ ...DEVELOPMENT, smtpUrl: SMTP_URL }, URL, true)
  assert.ok(!lines.join('\n').includes('/dev/mailbox'))
})
