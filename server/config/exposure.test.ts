import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exposureProblems, exposureWarnings } from './exposure.ts'
import { configFrom } from '../testing/config.ts'

const SMTP_URL = 'smtp://mail.example.org'

for (const env of [
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.5' },
  { HOST: 'example.org' },
  { HOST: '::ffff:192.168.1.5' },
  { HOST: 'localhost.example.org' },
  { PUBLIC_URL: 'https://example.org' },
  { PUBLIC_URL: 'http://example.org' },
  { PUBLIC_URL: 'http://192.0.2.7' },
  { HOST: '0.0.0.0', PUBLIC_URL: 'https://example.org', NODE_ENV: 'staging' },
])
  test(`refuses to serve the development mailbox with ${JSON.stringify(env)}`, () => {
    const [line = '', ...others] = exposureProblems(configFrom(env))
    assert.deepEqual(others, [])
    assert.match(line, /^SMTP_URL is required with (HOST|PUBLIC_URL)=.*Set SMTP_URL/)
    assert.ok(!line.includes('\n'))
    assert.deepEqual(exposureProblems(configFrom({ ...env, SMTP_URL })), [])
  })

for (const env of [
  {},
  { HOST: '127.0.0.1' },
  { HOST: '127.0.0.53' },
  { HOST: '::1' },
  { HOST: 'localhost' },
  { PUBLIC_URL: 'http://airdrop.localhost:8080' },
  { PUBLIC_URL: 'http://127.0.0.1:8080' },
])
  test(`serves the development mailbox with ${JSON.stringify(env)}`, () => {
    assert.deepEqual(exposureProblems(configFrom(env)), [])
  })

const PRODUCTION = { NODE_ENV: 'production', SMTP_URL, PUBLIC_URL: 'https://example.org' }

test('warns of a proxy that is not trusted in production, with what to set', () => {
  for (const env of [
    PRODUCTION,
    { ...PRODUCTION, HOST: '127.0.0.1' },
    { ...PRODUCTION, HOST: '127.0.0.1', PUBLIC_URL: 'http://example.org' }, // Only a proxy reaches it.
  ]) {
    const [line = '', ...others] = exposureWarnings(configFrom(env))
    assert.deepEqual(others, [])
    assert.match(line, /TRUST_PROXY is not set.*Set TRUST_PROXY/)
  }
})

test('does not warn when the proxy is trusted, when there is none, or outside production', () => {
  for (const env of [
    { ...PRODUCTION, TRUST_PROXY: 'loopback' },
    { ...PRODUCTION, PUBLIC_URL: 'http://example.org' }, // Needs no proxy.
    { ...PRODUCTION, PUBLIC_URL: 'http://localhost:3000', HOST: '127.0.0.1' },
    { PUBLIC_URL: 'https://example.org', SMTP_URL },
    {},
  ])
    assert.deepEqual(exposureWarnings(configFrom(env)), [])
})
