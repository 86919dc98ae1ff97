import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { createPublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { serveAssets } from './asset-files.ts'

const SCRIPT = 'export const answer = 42\n'.repeat(100)

async function serveBuild(t: TestContext) {
  const folder = await scratchFolder(t)
  const write = (name: string, content: string | Buffer) => writeFile(path.join(folder, name), content)
  await write('app-1.js', SCRIPT)
  await write('app-1.js.br', brotliCompressSync(SCRIPT))
  await write('app-1.js.gz', gzipSync(SCRIPT))
  await write('app-1.js.map', '{}')
  await write('face-1.woff2', Buffer.from([0, 255]))
  const app = Fastify()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: 'not_found' }))
  await serveAssets(app, createPublicAnswers({ keepForMs: 0 }), folder)
  t.after(() => app.close())
  return { app, folder }
}

test('a file is sent as the build has compressed it, and browsers may cache it forever', async (t) => {
  const { app } = await serveBuild(t)
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }
  for (const [encoding, decode] of Object.entries(decoders)) {
    const { headers, rawPayload } = await app.inject({
      url: '/assets/app-1.js',
      headers: { 'accept-encoding': encoding },
    })
    assert.equal(headers['content-encoding'] ?? 'identity', encoding)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['vary'], 'accept-encoding')
    assert.equal(decode(rawPayload).toString(), SCRIPT)
  }
})

test('a file that the build has not compressed is sent uncompressed, whatever the client accepts', async (t) => {
  const { app } = await serveBuild(t)
  const { headers, rawPayload } = await app.inject({
    url: '/assets/face-1.woff2',
    headers: { 'accept-encoding': 'br, gzip' },
  })
  assert.deepEqual(rawPayload, Buffer.from([0, 255]))
  assert.equal(headers['content-type'], 'font/woff2')
  assert.equal(headers['vary'], undefined)
  assert.equal(headers['content-encoding'], undefined)
})

test('a compressed file or source map has no address, nor has anything outside the folder', async (t) => {
  const { app, folder } = await serveBuild(t)
  const folderName = path.basename(folder)
  for (const name of [
    'app-1.js.br',
    'app-1.js.map',
    '',
    '.',
    'app-1.js/',
    `..%2f${folderName}/app-1.js`,
    '__proto__',
  ])
    assert.equal((await app.inject({ url: `/assets/${name}` })).statusCode, 404, name)
})

test('a file that a new build has removed is not found, unless it is in memory', async (t) => {
  const { app, folder } = await serveBuild(t)
  assert.equal((await app.inject({ url: '/assets/app-1.js' })).statusCode, 200)
  for (const name of ['app-1.js', 'app-1.js.br', 'app-1.js.gz', 'face-1.woff2'])
    await rm(path.join(folder, name))
  assert.equal((await app.inject({ url: '/assets/app-1.js' })).body, SCRIPT)
  const gone = await app.inject({ url: '/assets/face-1.woff2' })
  assert.deepEqual([gone.statusCode, gone.json()], [404, { code: 'not_found' }])
})
