import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedNetworks, limitsPerNetwork, networkOf } from './network.ts'

const networksOf = (network: string) => countedNetworks(network).map((counted) => counted.network)

test('counts an IPv6 address, or its /64, by its /64, /56 and /48, with higher limits for wider ones', () => {
  assert.deepEqual(countedNetworks('2001:db8:1:2345::1'), [
    { network: '2001:db8:1:2345::/64', factor: 1 },
    { network: '2001:db8:1:2300::/56', factor: 4 },
    { network: '2001:db8:1::/48', factor: 16 },
  ])
  for (const written of ['2001:db8:1:2345:ffff::ffff', '[2001:db8:1:2345::1]:50123', '[2001:db8:1:2345::1]'])
    assert.deepEqual(networksOf(networkOf(written)), networksOf('2001:db8:1:2345::/64'), written)
})

test('counts an IPv4 address by itself, in any notation, and invalid addresses as one network', () => {
  const notations = ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '192.0.2.7:50123']
  for (const written of notations)
    assert.deepEqual(countedNetworks(written), [{ network: '192.0.2.7', factor: 1 }], written)
  for (const nonsense of ['unknown', '', 'example', '2001:db8::/32', '::/64/64'])
    assert.deepEqual(countedNetworks(nonsense), [{ network: 'unknown', factor: 1 }], nonsense)
})

test('creates one limit per network, higher for wider ones', () => {
  const limits = limitsPerNetwork('2001:db8::1', 'login', { take: 6, seconds: 60 })
  const takes = limits.map(({ key, limit }) => [key, limit.take])
  assert.deepEqual(takes, [
    ['login 2001:db8::/64', 6],
    ['login 2001:db8::/56', 24],
    ['login 2001:db8::/48', 96],
  ])
})
