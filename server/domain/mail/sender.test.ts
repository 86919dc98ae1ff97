import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { test, type TestContext } from 'node:test'
import type { DnsFinding } from '#contract/dashboard/mail.ts'
import { mailSender } from '#contract/dashboard/mail.ts'
import { testApi } from '#server/testing/api.ts'
import { nameServer, type Zone } from '#server/testing/fakes/dns.ts'
import { domainOf, examineSender } from './sender.ts'

const DOMAIN = 'news.pf-site.org'
const KEY = `m1._domainkey.${DOMAIN}`
const POLICY = '_dmarc.pf-site.org'
const publicKey = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')
const RSA = publicKey(1024)
const piecesOf = (text: string) => text.match(/.{1,200}/g) ?? []

type Given = { server?: string; selector?: string | undefined; timeout?: number }

/** What is found of a zone, by record. */
async function findings(t: TestContext, zone: Zone, given: Given = {}) {
  const { server, selector, timeout = 20_000 } = { selector: 'm1', ...given }
  const { address } = await nameServer(t, zone)
  const resolver = new Resolver({ timeout, tries: 1 })
  resolver.setServers([address])
  const found = await examineSender(resolver, { domain: DOMAIN, selector, server })
  return Object.fromEntries(found.map(({ record, ...finding }) => [record, finding])) as Record<
    DnsFinding['record'],
    Omit<DnsFinding, 'record'>
  >
}

test("SPF in several strings, a DKIM key in pieces and the parent domain's DMARC policy are found", async (t) => {
  const { spf, dkim, dmarc } = await findings(t, {
    [DOMAIN]: [['other=1'], ['v=spf1 include:mail.', 'example -all']],
    [KEY]: [piecesOf(`v=DKIM1; k=rsa; p=${RSA}`)],
    [POLICY]: [['v=DMARC1; p=reject']],
  })
  assert.deepEqual(spf, {
    outcome: 'fine',
    reason: null,
    found: 'v=spf1 include:mail.example -all',
    publish: null,
  })
  assert.equal(dkim.outcome, 'fine')
  assert.equal(dmarc.found, 'v=DMARC1; p=reject')
})

test('says what is missing, and what to publish where that can be known', async (t) => {
  const missing = await findings(t, { [DOMAIN]: 'nothing' }, { server: 'smtp.sendgrid.net' })
  const reasons = Object.values(missing).map(({ outcome, reason }) => `${outcome} ${reason}`)
  assert.deepEqual(reasons, ['wrong missing', 'wrong missing', 'wrong missing'])
  assert.deepEqual(missing.spf.publish, {
    name: DOMAIN,
    type: 'TXT',
    value: 'v=spf1 include:sendgrid.net -all',
  })
  assert.equal(missing.dkim.publish, null)
  assert.deepEqual(missing.dmarc.publish, {
    name: `_dmarc.${DOMAIN}`,
    type: 'TXT',
    value: 'v=DMARC1; p=quarantine',
  })
  const valueFor = async (server?: string) =>
    (await findings(t, {}, server === undefined ? {} : { server })).spf.publish?.value
  assert.equal(await valueFor('203.0.113.7'), 'v=spf1 ip4:203.0.113.7 -all')
  assert.equal(await valueFor('[2001:db8::7]'), 'v=spf1 ip6:2001:db8::7 -all')
  assert.equal(await valueFor('mail.elsewhere.org'), undefined)
  assert.equal(await valueFor('127.0.0.1'), undefined)
  assert.equal(await valueFor(), undefined)
})

test('says what is wrong: open, several, revoked, short, unreadable, no policy', async (t) => {
  const open = await findings(t, { [DOMAIN]: [['v=spf1 mx +all']], [KEY]: [['v=DKIM1; p=']] })
  assert.deepEqual([open.spf.reason, open.spf.publish?.value], ['open', 'v=spf1 mx -all'])
  assert.equal(open.dkim.reason, 'revoked')
  const several = await findings(t, {
    [DOMAIN]: [['v=spf1 -all'], ['v=spf1 ~all']],
    [KEY]: [['v=DKIM1; p=bm8ga2V5']],
    [POLICY]: [['v=DMARC1; p=none'], ['v=DMARC1; p=reject']],
  })
  assert.deepEqual(
    [several.spf.reason, several.dkim.reason, several.dmarc.reason],
    ['several', 'unreadable', 'several'],
  )
  const weak = await findings(t, {
    [KEY]: [piecesOf(`p=${publicKey(768)}`)],
    [POLICY]: [['v=DMARC1; p=none']],
  })
  assert.deepEqual([weak.dkim.outcome, weak.dkim.reason], ['wrong', 'short'])
  assert.deepEqual([weak.dmarc.outcome, weak.dmarc.reason], ['fine', 'policy_none'])
  const ed25519 = generateKeyPairSync('ed25519')
    .publicKey.export({ type: 'spki', format: 'der' })
    .subarray(-32)
  const modern = await findings(t, { [KEY]: [[`v=DKIM1; k=ed25519; p=${ed25519.toString('base64')}`]] })
  assert.equal(modern.dkim.outcome, 'fine')
})

test('could not tell: no answer, an error, no selector, no public domain', async (t) => {
  const outcomes = (found: Record<string, Omit<DnsFinding, 'record'>>) =>
    Object.values(found).map(({ outcome, reason }) => `${outcome} ${reason}`)
  const silent: Zone = { [DOMAIN]: 'silence', [KEY]: 'silence', [`_dmarc.${DOMAIN}`]: 'silence' }
  assert.deepEqual(
    outcomes(await findings(t, silent, { timeout: 50 })),
    Array(3).fill('could_not_tell ETIMEOUT'),
  )
  const failing = await findings(t, { [DOMAIN]: 'servfail' }, { selector: undefined })
  assert.equal(failing.spf.reason, 'ESERVFAIL')
  assert.deepEqual(
    await findings(t, {}, { selector: undefined }).then(({ dkim }) => [dkim.outcome, dkim.reason]),
    ['could_not_tell', 'no_selector'],
  )
  const nobody = { resolveTxt: () => Promise.reject(new Error('asked')) }
  const local = await examineSender(nobody, { domain: 'localhost', selector: 'm1', server: undefined })
  assert.deepEqual(new Set(local.map(({ reason }) => reason)), new Set(['not_public']))
})

test("administrators get the sender's findings, without the mail server's password", async (t) => {
  const { address } = await nameServer(t, { [POLICY]: [['v=DMARC1; p=reject']] })
  const resolver = new Resolver({ timeout: 20_000, tries: 1 })
  resolver.setServers([address])
  const mail = { resolver, from: `PF <no-reply@${DOMAIN}>`, smtpUrl: 'smtp://u:secret@203.0.113.7:587' }
  const api = await testApi(t, { mail })
  const { token } = await api.administrator()
  const { body, text } = await api.call(mailSender, { token })
  const {
    domain,
    server,
    findings: found,
  } = body.data as { domain: string; server: string; findings: DnsFinding[] }
  assert.deepEqual([domain, server], [DOMAIN, '203.0.113.7'])
  const outcomes = found.map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['wrong', 'could_not_tell', 'fine'])
  assert.doesNotMatch(text, /secret/)
})

test('the domain is that of the address, also with a name before it', () => {
  assert.equal(domainOf('Team at Home <no-reply@Site.example>'), 'site.example')
  assert.equal(domainOf('no-reply@site.example'), 'site.example')
})
