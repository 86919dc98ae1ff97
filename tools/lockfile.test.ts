import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type Lock, lockProblems } from './lockfile.ts'

for (const file of ['package-lock.json', 'bench/peers/package-lock.json'])
  test(`${file} is complete, and every package that Linux installs has a hash`, async () => {
    const lock = await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
    assert.deepEqual(lockProblems(JSON.parse(lock) as Lock), [])
  })

test('reports missing packages, missing hashes and registry addresses', () => {
  const packages: Lock['packages'] = {
    '': {},
    'node_modules/whole': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/bare': { version: '1.0.0' },
    'node_modules/whole/node_modules/@inner/bare': { version: '1.0.0', os: ['!win32'], cpu: ['arm64'] },
    'node_modules/binding-linux-x64-gnu': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/binding-linux-x64-musl': { version: '1.0.0', os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/binding-darwin-arm64': { version: '1.0.0', os: ['darwin'], cpu: ['arm64'] },
    'node_modules/binding-linux-s390x': { version: '1.0.0', os: ['linux'], cpu: ['s390x'] },
    'node_modules/not-ours': { version: '1.0.0', os: ['!linux'] },
    'node_modules/part': { link: true, resolved: 'part' },
    'node_modules/whole/node_modules/bundled': { version: '1.0.0', inBundle: true },
    'node_modules/addressed': {
      version: '1.0.0',
      integrity: 'sha512-b',
      resolved: 'https://registry.example/addressed-1.0.0.tgz',
    },
    'node_modules/parent': {
      version: '1.0.0',
      integrity: 'sha512-c',
      optionalDependencies: { 'binding-linux-arm64-gnu': '1.0.0', 'binding-linux-x64-gnu': '1.0.0' },
    },
  }
  assert.deepEqual(lockProblems({ packages }), [
    'binding-linux-arm64-gnu is missing: node_modules/parent asks for it',
    'node_modules/addressed names a registry: the lock file must not depend on one',
    'node_modules/bare has no integrity',
    'node_modules/whole/node_modules/@inner/bare has no integrity',
    'node_modules/binding-linux-x64-gnu has no integrity',
  ])
})
