import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareApp } from '../../testing/bare-app.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'

const ID = '01990000-0000-7000-8000-000000000001'

/** What may be personal or secret is logged as `-`. */
const CASES: [url: string, path: string, parameters: string[] | undefined][] = [
  ['/things', '/things', undefined],
  ['/things?page=2&search=al%40mail.example', '/things', ['page', 'search']],
  ['/things?search=a&search=b', '/things', ['search']],
  ['/things?al@mail.example', '/things', ['-']],
  ['/things?482913=1&token', '/things', ['-', 'token']],
  [`/things/${ID}`, `/things/${ID}`, undefined],
  ['/things/al@mail.example', '/things/-', undefined],
  ['/things/ABCDEFGHJK', '/things/-', undefined],
  ['/assets/app-3f9c.js', '/assets/app-3f9c.js', undefined],
  ['/nowhere/wp-login.php', '/nowhere/wp-login.php', undefined],
  ['/nowhere/al%40mail.example/x', '/nowhere/-/x', undefined],
  ['/nowhere/482913', '/nowhere/-', undefined],
  [`/nowhere/${'t'.repeat(43)}`, '/nowhere/-', undefined],
  ['/nowhere/a%0d%0ab', '/nowhere/-', undefined],
]
for (const [url, path, parameters] of CASES) {
  test(`${url} is logged as ${path} ${parameters?.join() ?? ''}`, async (t) => {
    const { log, lines } = logLines()
    const app = bareApp(t, { logger: log })
    app.get('/things', () => ({}))
    app.get('/things/:id', () => ({}))
    app.get('/assets/*', () => ({}))
    await app.inject({ url, headers: { host: 'localhost:3000' }, remoteAddress: '198.51.100.7' })
    const [line] = lines().filter(({ msg }) => msg === 'request')
    assert.deepEqual([line?.['path'], line?.['parameters']], [path, parameters])
    assert.match(String(line?.['network']), /^[0-9a-f]{16}$/, 'a hash of the address')
    assert.ok(!('url' in (line ?? {})) && !JSON.stringify(line).includes('198.51'))
  })
}
