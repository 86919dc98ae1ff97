import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { Look } from '#contract/look.ts'
import { PICTURE_LIMITS } from '#contract/dashboard/pictures.ts'
import { writeLogo } from '#server/testing/builders/logo.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import defaultCampaign from '#server/testing/campaign.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { openDatabase, openPool } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { resolveLook } from './resolve-look.ts'

test('stores once each picture that a campaign file names by a path relative to the file’s folder', async (t) => {
  const { db } = await testDatabase(t)
  const folder = await scratchFolder(t)
  await mkdir(path.join(folder, 'pictures'))
  await writeLogo(path.join(folder, 'pictures'))
  const colors = { accent: { light: '#0a5cff' } }
  const named = { ...defaultCampaign, look: { logo: 'pictures/logo.png', colors } }
  const configPath = path.join(folder, 'campaign.json')
  const { look } = await resolveLook(db, named, configPath)
  assert.match(look?.logo ?? '', /^\/brand\/[0-9a-f]{64}-192x96\.webp$/)
  assert.deepEqual(look?.colors, colors)
  assert.equal(look?.mascot, undefined)
  const again = await resolveLook(db, named, configPath)
  assert.deepEqual(again.look, look)
  assert.deepEqual((await resolveLook(db, again, configPath)).look, look)
  for (const without of [undefined, {}, { logo: null, mascot: null }]) {
    const campaign = { ...defaultCampaign, look: without } as typeof defaultCampaign
    assert.equal(await resolveLook(db, campaign, configPath), campaign, 'returned unchanged')
  }
  assert.equal((await db.selectFrom('pictures').select('name').execute()).length, 1)
})

test('an unusable picture is reported in one line with the reason, and not stored', async (t) => {
  const { db } = await testDatabase(t)
  const folder = await scratchFolder(t)
  await writeFile(path.join(folder, 'text.png'), 'no picture')
  await writeFile(path.join(folder, 'large.png'), Buffer.alloc(PICTURE_LIMITS.maxBytes + 1))
  const readProblems = async (look: Look) => {
    const resolving = resolveLook(db, { ...defaultCampaign, look }, path.join(folder, 'c.json'))
    const error: unknown = await resolving.catch((caught: unknown) => caught)
    assert.ok(error instanceof Misconfigured)
    return error.message.replaceAll(`${folder}/c.json: `, '').split('\n')
  }
  assert.deepEqual(await readProblems({ logo: 'gone.png', mascot: 'text.png' }), [
    'look.logo names gone.png, which does not exist: its path is relative to the campaign file’s folder',
    'look.mascot names text.png: This isn’t a PNG, JPEG or WebP picture. Save it as one of these and choose it again.',
  ])
  assert.match((await readProblems({ logo: 'large.png' }))[0] ?? '', /This picture is larger than 5 MB/)
  assert.deepEqual(await readProblems({ logo: '.', mascot: `/brand/${'a'.repeat(64)}-9x9.webp` }), [
    'look.logo names ., which cannot be read (EISDIR)',
    'look.mascot names a picture that is not in this database: name a file instead',
  ])
  assert.deepEqual(await db.selectFrom('pictures').select('name').execute(), [])
})

test('an error of the database is not reported as a problem of the picture', async (t) => {
  const { url } = await testDatabase(t)
  const pool = openPool(url)
  await pool.end()
  const named = { ...defaultCampaign, look: { logo: `/brand/${'a'.repeat(64)}-9x9.webp` } }
  await assert.rejects(resolveLook(openDatabase(pool), named), { message: /^Cannot use a pool/ })
})
