import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAUSED } from '#server/platform/outbound/http-client.ts'
import { deployment } from '#server/testing/doctor.ts'
import { examine, hasProblem, reportLines } from './examine.ts'
import { couldNotTell, explainFailure, fine, inWords, wrong } from './finding.ts'
import type { Check } from './subject.ts'

const check = (name: string, run: Check['examine'], reads: string[] = []) => ({
  name,
  reads,
  examine: run,
})

test('a check that hangs, fails or lacks its variable could not tell', async () => {
  const aborted = Promise.withResolvers<void>()
  const findings = await examine(deployment({ SMTP_URL: 'imap://mail' }), {
    checks: [
      check('hangs', (_subject, signal) => {
        signal.addEventListener('abort', () => aborted.resolve())
        return new Promise(() => {})
      }),
      check('fails', () => Promise.reject(new Error('no luck\nat all'))),
      check('lacks', () => assert.fail('must not run'), ['SMTP_URL']),
      check('works', () => fine('Good.')),
    ],
    limitMs: 10,
  })
  await aborted.promise
  const shown = findings.map(({ name, outcome, lines }) => [name, outcome, inWords(lines[0] ?? '')])
  assert.deepEqual(shown, [
    ['hangs', 'could_not_tell', 'It took longer than 0.01 s.'],
    ['fails', 'could_not_tell', 'The check failed: no luck'],
    ['lacks', 'could_not_tell', 'SMTP_URL cannot be used (see environment).'],
    ['works', 'fine', 'Good.'],
  ])
  assert.equal(hasProblem(findings), false)
})

test('the report ends with the checks that found problems, and with a list of the problems', () => {
  const report = reportLines([
    { name: 'mail', ...wrong(['No SPF: add it.', 'No DMARC: add it.']) },
    { name: 'disk', ...fine('9 GB free.', ['Little.']) },
    { name: 'clock', ...couldNotTell('Nobody answers.') },
  ])
  assert.deepEqual(report, [
    'disk   fine            9 GB free.',
    '       note            Little.',
    'clock  could not tell  Nobody answers.',
    'mail   wrong           No SPF: add it.',
    '                       No DMARC: add it.',
    '',
    '2 problems to fix; 1 check could not tell.',
    '1. mail: No SPF: add it.',
    '2. mail: No DMARC: add it.',
  ])
})

function explained(reason: string): string | undefined {
  const line = explainFailure(reason, { host: 'node.example:8545', setting: 'CHAIN_RPC_URL' })
  return line && inWords(line)
}

test('the explanation of a failure says what to do, with the code to search for', () => {
  const says: [reason: string, words: RegExp][] = [
    ['failed with ENOTFOUND', /no host named node\.example\. .*CHAIN_RPC_URL.*internet\. \(ENOTFOUND\)$/],
    ['failed with EAI_AGAIN', /name server did not answer.*\(EAI_AGAIN\)$/],
    ['failed with ECONNREFUSED', /nothing accepts connections at node\.example:8545\. .*\(ECONNREFUSED\)$/],
    ['failed with ETIMEDOUT', /did not answer in time.*firewall.*\(ETIMEDOUT\)$/],
    ['failed with UND_ERR_CONNECT_TIMEOUT', /did not answer in time.*\(UND_ERR_CONNECT_TIMEOUT\)$/],
    ['took too long', /did not answer in time.*CHAIN_RPC_URL\.$/],
    ['failed with CERT_HAS_EXPIRED', /has expired.*renewed/],
    ['failed with ERR_TLS_CERT_ALTNAME_INVALID', /another name/],
    ['failed with DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed.*NODE_EXTRA_CA_CERTS/],
    ['failed with UNABLE_TO_VERIFY_LEAF_SIGNATURE', /intermediate certificates/],
    [
      'failed with ERR_SSL_WRONG_VERSION_NUMBER',
      /does not speak TLS on this port\. .* before :\/\/, in CHAIN_RPC_URL/,
    ],
    ['ESOCKET connect ECONNREFUSED 127.0.0.1:25', /nothing accepts connections.*\(ECONNREFUSED\)$/],
    [
      'ESOCKET certificate has expired',
      /certificate of node\.example:8545 has expired\. It has to be renewed there\.$/,
    ],
    ['EDNS getaddrinfo ENOTFOUND mail.example', /no host named.*\(ENOTFOUND\)$/],
    ['ESERVFAIL', /name server did not answer.*\(ESERVFAIL\)$/],
  ]
  for (const [reason, words] of says) assert.match(explained(reason) ?? '', words, reason)
})

test('an answer that arrived and a paused client are not explained', () => {
  for (const reason of ['answered 503', 'did not answer with JSON', PAUSED, 'refused'])
    assert.equal(explained(reason), undefined, reason)
})
