import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAUSED } from '#server/platform/outbound/http-client.ts'
import { explainFailure } from './failures.ts'
import { inWords } from './finding.ts'

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
    ['failed with ERR_SSL_WRONG_VERSION_NUMBER', /does not speak TLS on this port/],
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
