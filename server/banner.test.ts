import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBanner } from './banner.ts'

const SITE_URL = 'http://localhost:3000'
const PIPE = { url: SITE_URL, isTerminal: false }
const TERMINAL = { url: SITE_URL, isTerminal: true }
const DEVELOPMENT = { isProduction: false, smtpUrl: undefined }
const PRODUCTION = { isProduction: true, smtpUrl: 'smtp://mail.example.org' }
const READY = `Dropwright is ready: ${SITE_URL}`
const MAILBOX = `Emails are shown at ${SITE_URL}/dev/mailbox`

test('names the development mailbox unless a mail server is set', () => {
  assert.deepEqual(startBanner(DEVELOPMENT, PIPE), [READY, MAILBOX])
  const withMailServer = { ...PRODUCTION, isProduction: false }
  assert.deepEqual(startBanner(withMailServer, PIPE), [READY])
  assert.ok(!startBanner(withMailServer, TERMINAL).join('\n').includes('/dev/mailbox'))
})

test('prints only the ready line in production, even at a terminal', () => {
  for (const output of [TERMINAL, PIPE]) assert.deepEqual(startBanner(PRODUCTION, output), [READY])
})

test('prints the addresses after the ready line at a terminal', () => {
  const [first, ...rest] = startBanner(DEVELOPMENT, TERMINAL)
  assert.equal(first, READY)
  for (const path of ['/dashboard', '/dev/mailbox', '/api/docs'])
    assert.ok(rest.some((line) => line.endsWith(SITE_URL + path)))
  assert.ok(!rest.join('\n').includes('/setup'))
})

test('prints the setup link everywhere, alone on its line and with the token in the fragment', () => {
  for (const settings of [DEVELOPMENT, PRODUCTION])
    for (const output of [TERMINAL, PIPE]) {
      const [first, ...rest] = startBanner(settings, { ...output, setupToken: 'a-token' })
      assert.equal(first, READY)
      assert.equal(rest.filter((line) => line.trim() === `${SITE_URL}/setup#token=a-token`).length, 1)
      assert.ok(rest.some((line) => line.includes('npm run admin -- link')))
    }
})
