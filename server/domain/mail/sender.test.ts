import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { test, type TestContext } from 'node:test'
import type { DnsFinding } from '#contract/dashboard/mail.ts'
import { mailSender } from '#contract/dashboard/mail.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdmin } from '#server/testing/builders/create-users.ts'
import { nameServer, type Zone } from '#server/testing/fakes/dns.ts'
import { domainOf, examineSender } from './sender.ts'

const DOMAIN = 'news.pf-site.org'
/** Where the DKIM key and the parent domain's DMARC policy are published. */
const KEY = `m1._domainkey.${DOMAIN}`
const POLICY = '_dmarc.pf-site.org'
const publicKey = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64')
const RSA = publicKey(1024)
const piecesOf = (text: string) => text.match(/.{1,200}/g) ?? []

async function resolverOf(t: TestContext, zone: Zone, timeoutMs = 20_000) {
  const { address } = await nameServer(t, zone)
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  resolver.setServers([address])
  return resolver
}

type Options = { server?: string | undefined; selector?: string | undefined; timeoutMs?: number }

async function findingsFor(t: TestContext, zone: Zone, options: Options = {}) {
  const { server, selector, timeoutMs } = { selector: 'm1', ...options }
  const resolver = await resolverOf(t, zone, timeoutMs)
  const findings = await examineSender(resolver, { domain: DOMAIN, selector, server })
  return Object.fromEntries(findings.map(({ record, ...finding }) => [record, finding])) as Record<
    DnsFinding['record'],
    Omit<DnsFinding, 'record'>
  >
}

test("joins the pieces of SPF and DKIM records, and finds the parent domain's DMARC policy", async (t) => {
  const { spf, dkim, dmarc } = await findingsFor(t, {
    [DOMAIN]: [['other=1'], ['v=spf1 include:mail.', 'example -all']],
    [KEY]: [piecesOf(`v=DKIM1; k=rsa; p=${RSA}`)],
    [POLICY]: [['v=DMARC1; p=reject']],
  })
  const found = 'v=spf1 include:mail.example -all'
  assert.deepEqual(spf, { outcome: 'fine', reason: null, found, publish: null })
  assert.equal(dkim.outcome, 'fine')
  assert.equal(dmarc.found, 'v=DMARC1; p=reject')
})

test('says which records are missing, and if possible what to publish', async (t) => {
  const missing = await findingsFor(t, { [DOMAIN]: 'nothing' }, { server: 'smtp.sendgrid.net' })
  const reasons = Object.values(missing).map(({ outcome, reason }) => `${outcome} ${reason}`)
  assert.deepEqual(reasons, ['wrong missing', 'wrong missing', 'wrong missing'])
  const txt = (name: string, value: string) => ({ name, type: 'TXT', value })
  assert.deepEqual(missing.spf.publish, txt(DOMAIN, 'v=spf1 include:sendgrid.net -all'))
  assert.equal(missing.dkim.publish, null)
  assert.deepEqual(missing.dmarc.publish, txt(`_dmarc.${DOMAIN}`, 'v=DMARC1; p=quarantine'))
  const valueFor = async (server: string | undefined) =>
    (await findingsFor(t, {}, { server })).spf.publish?.value
  assert.equal(await valueFor('203.0.113.7'), 'v=spf1 ip4:203.0.113.7 -all')
  assert.equal(await valueFor('[2001:db8::7]'), 'v=spf1 ip6:2001:db8::7 -all')
  assert.equal(await valueFor('mail.elsewhere.org'), undefined)
  assert.equal(await valueFor('127.0.0.1'), undefined)
  assert.equal(await valueFor(undefined), undefined)
})

test('says what is wrong with a record', async (t) => {
  const open = await findingsFor(t, { [DOMAIN]: [['v=spf1 mx +all']], [KEY]: [['v=DKIM1; p=']] })
  assert.deepEqual([open.spf.reason, open.spf.publish?.value], ['open', 'v=spf1 mx -all'])
  assert.equal(open.dkim.reason, 'revoked')
  const several = await findingsFor(t, {
    [DOMAIN]: [['v=spf1 -all'], ['v=spf1 ~all']],
    [KEY]: [[`v=DKIM1; p=${Buffer.from('no key').toString('base64')}`]],
    [POLICY]: [['v=DMARC1; p=none'], ['v=DMARC1; p=reject']],
  })
  const why = [several.spf.reason, several.dkim.reason, several.dmarc.reason]
  assert.deepEqual(why, ['several', 'unreadable', 'several'])
  const short = piecesOf(`p=${publicKey(768)}`)
  const weak = await findingsFor(t, { [KEY]: [short], [POLICY]: [['v=DMARC1; p=none']] })
  assert.deepEqual([weak.dkim.outcome, weak.dkim.reason], ['wrong', 'short'])
  assert.deepEqual([weak.dmarc.outcome, weak.dmarc.reason], ['fine', 'policy_none'])
  // DER ends with the 32 bytes of the key.
  const ed25519 = generateKeyPairSync('ed25519')
    .publicKey.export({ type: 'spki', format: 'der' })
    .subarray(-32)
  const modern = await findingsFor(t, { [KEY]: [[`v=DKIM1; k=ed25519; p=${ed25519.toString('base64')}`]] })
  assert.equal(modern.dkim.outcome, 'fine')
})

test("a parent domain's DMARC policy for subdomains takes precedence over its policy for itself", async (t) => {
  const reasonFor = async (policy: string) =>
    (await findingsFor(t, { [KEY]: [['p=']], [POLICY]: [[policy]] })).dmarc.reason
  assert.equal(await reasonFor('v=DMARC1; p=reject; sp=none'), 'policy_none')
  assert.equal(await reasonFor('v=DMARC1; p=none; sp=reject'), null)
})

test('a check is inconclusive without an answer, a selector or a public domain', async (t) => {
  const zone: Zone = { [DOMAIN]: 'silence', [KEY]: 'silence', [`_dmarc.${DOMAIN}`]: 'silence' }
  const silent = Object.values(await findingsFor(t, zone, { timeoutMs: 50 }))
  const outcomes = silent.map(({ outcome, reason }) => `${outcome} ${reason}`)
  assert.deepEqual(outcomes, Array(3).fill('could_not_tell ETIMEOUT'))
  const { spf, dkim } = await findingsFor(t, { [DOMAIN]: 'servfail' }, { selector: undefined })
  assert.equal(spf.reason, 'ESERVFAIL')
  assert.deepEqual([dkim.outcome, dkim.reason], ['could_not_tell', 'no_selector'])
  const neverAsked = { resolveTxt: () => Promise.reject(new Error('asked')) }
  const local = await examineSender(neverAsked, { domain: 'localhost', selector: 'm1', server: undefined })
  assert.deepEqual(new Set(local.map(({ reason }) => reason)), new Set(['not_public']))
})

test("administrators get the sender's findings, without the mail server's password", async (t) => {
  const resolver = await resolverOf(t, { [POLICY]: [['v=DMARC1; p=reject']] })
  const mail = { resolver, from: `PF <no-reply@${DOMAIN}>`, smtpUrl: 'smtp://u:secret@203.0.113.7:587' }
  const api = await testApi(t, { mail })
  const { token } = await createAdmin(api)
  const { body, text } = await api.call(mailSender, { token })
  const sender = body.data as { domain: string; server: string; findings: DnsFinding[] }
  assert.deepEqual([sender.domain, sender.server], [DOMAIN, '203.0.113.7'])
  const outcomes = sender.findings.map(({ outcome }) => outcome)
  // SPF is missing, the DKIM selector is not configured, and DMARC is published.
  assert.deepEqual(outcomes, ['wrong', 'could_not_tell', 'fine'])
  assert.doesNotMatch(text, /secret/)
})

test('the sender’s domain is that of the address, with or without a name before it', () => {
  assert.equal(domainOf('Team at Home <no-reply@Site.example>'), 'site.example')
  assert.equal(domainOf('no-reply@site.example'), 'site.example')
})
