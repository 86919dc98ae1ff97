import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { sql } from 'kysely'
import sharp, { type FormatEnum } from 'sharp'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PICTURE_LIMITS, uploadPicture } from '#contract/dashboard/pictures.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { settingsApi } from '#server/testing/builders/settings.ts'
import { testApi, type TestApi } from '#server/testing/api.ts'
import { createAdmin, createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { tally, untilWaiting } from '#server/testing/database/races.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { contextIn, letter } from '../mail/templates.ts'
import { lockStoredPicture, purgePictures, storePicture } from './pictures.ts'

type PictureOptions = { width?: number; height?: number; format?: keyof FormatEnum }

function makePicture({ width = 300, height = 200, format = 'png' }: PictureOptions = {}): Promise<Buffer> {
  // Filled by size, so that pictures of different sizes also differ in what they show.
  const pixels = Buffer.alloc(width * height * 4, (width * 7 + height).toString(36))
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .toFormat(format)
    .withExif({ IFD0: { Copyright: 'A secret of the photographer' } })
    .toBuffer()
}

const upload = ({ call }: TestApi, token: string | undefined, file: Buffer, part = 'logo') =>
  call(uploadPicture, { token, params: { part }, body: file, headers: { 'content-type': 'image/png' } })

const countPictures = async (api: TestApi) =>
  (await api.db.selectFrom('pictures').select('name').execute()).length

test('a picture is stored as WebP and PNG without metadata, cached forever, and not enlarged', async (t) => {
  const api = await testApi(t)
  const { token, id } = await createAdmin(api)
  const get = (url: string) => api.app.inject({ url, headers: { host: 'localhost:3000' } })
  const readMetadata = async ({ rawPayload }: { rawPayload: Buffer }) => {
    const { format, width, height, exif } = await sharp(rawPayload).metadata()
    return { format, width, height, exif }
  }
  const formats = ['png', 'jpeg', 'webp'] as const
  for (const [index, format] of formats.entries()) {
    // Different sizes, because one picture in several formats could be stored as one.
    const height = 500 - 100 * index
    const file = await makePicture({ format, width: 2 * height, height })
    const { status, text, body } = await upload(api, token, file)
    assert.equal(status, 201, text)
    const { reference, ...size } = body.data as { reference: string }
    assert.deepEqual(size, { width: 192, height: 96 })
    const [webp, png] = [await get(reference), await get(reference.replace(/webp$/, 'png'))]
    assert.equal(webp.headers['content-type'], 'image/webp')
    assert.equal(webp.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(webp.headers['x-content-type-options'], 'nosniff')
    assert.ok(!png.rawPayload.includes('photographer'))
    assert.deepEqual(await readMetadata(webp), { format: 'webp', width: 192, height: 96, exif: undefined })
    assert.deepEqual(await readMetadata(png), { format: 'png', width: 512, height: 256, exif: undefined })
  }
  const actors = (await entriesOf(api.db, { action: 'picture.stored' })).map(({ actor }) => actor)
  assert.deepEqual(actors, [id, id, id])

  const store = async (size: PictureOptions, part: string) =>
    (await upload(api, token, await makePicture(size), part)).body.data as { width: number; height: number }
  const small = { width: 70, height: 65 }
  assert.partialDeepStrictEqual(await store(small, 'logo'), small)
  const mascot = await store({ width: 600, height: 1_200 }, 'mascot')
  assert.partialDeepStrictEqual(mascot, { width: 320, height: 640 }, 'a mascot is larger than a logo')
  for (const url of ['/brand/x.png', `/brand/${'a'.repeat(64)}-1x1.png`, '/brand/..%2fpackage.json'])
    assert.equal((await get(url)).statusCode, 404, url)
})

/** A PNG of 50 kB that takes much memory: 20,000 by 20,000 black pixels of one bit. */
function makeBomb(): Buffer {
  const side = 20_000
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  for (const offset of [0, 4]) header.writeUInt32BE(side, offset)
  const bitDepth = 1
  header.writeUInt8(bitDepth, 8)
  // Each row is a filter byte, then a bit for each pixel.
  const rows = Buffer.alloc(side * (1 + side / 8))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a file that is not a usable picture is refused with the reason in one sentence', async (t) => {
  const api = await testApi(t)
  const { token } = await createAdmin(api)
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const [png, jpeg, webp, gif] = await Promise.all(
    (['png', 'jpeg', 'webp', 'gif'] as const).map((format) =>
      makePicture({ format, width: 400, height: 400 }),
    ),
  )
  assert.ok(png && jpeg && webp && gif)
  const halfOf = (file: Buffer) => file.subarray(0, file.length / 2)
  const fakePng = Buffer.from('\x89PNG\r\n\x1a\nnothing', 'latin1')
  const refused: [name: string, file: Buffer, code: string][] = [
    ['a text', Buffer.from('no picture at all'), 'picture_unknown_format'],
    ['nothing', Buffer.alloc(0), 'picture_unknown_format'],
    ['a GIF', gif, 'picture_unknown_format'],
    ['an SVG', Buffer.from(svg), 'picture_svg'],
    ['half a PNG', halfOf(png), 'picture_unreadable'],
    ['half a JPEG', halfOf(jpeg), 'picture_unreadable'],
    ['half a WebP', halfOf(webp), 'picture_unreadable'],
    ['a text that begins like a PNG', fakePng, 'picture_unreadable'],
    ['a bomb', makeBomb(), 'picture_too_many_pixels'],
    ['a dot', await makePicture({ width: PICTURE_LIMITS.minLongerSide - 1, height: 8 }), 'picture_too_small'],
    ['5 MB and a byte', Buffer.alloc(PICTURE_LIMITS.maxBytes + 1, 1), 'picture_too_large'],
  ]
  for (const [name, file, code] of refused) {
    const { status, body } = await upload(api, token, file)
    assert.equal(body.code, code, name)
    assert.equal(status, code === 'picture_too_large' ? 413 : 400, name)
    assert.match(body.message ?? '', /^[A-Z][^\n]+\.$/)
  }
  assert.equal((await upload(api, token, await makePicture(), 'banner')).status, 404)

  // A caller who is not an administrator is refused before the size of the file is known.
  const [participant] = await createUsers(api.db, api.deps.campaign.id, 1)
  const tooLarge = Buffer.alloc(PICTURE_LIMITS.maxBytes + 1)
  assert.equal((await upload(api, undefined, tooLarge)).status, 401)
  assert.equal((await upload(api, participant.token, tooLarge)).status, 403)
  assert.equal(await countPictures(api), 0)
})

test('a file that is sent several times at once is stored once', async (t) => {
  const api = await testApi(t)
  const { id, token } = await createAdmin(api)
  const file = await makePicture()
  const store = () => storePicture(api.db, file, 'logo', { actor: id })
  assert.deepEqual(await tally([store(), store(), store()]), { done: 3 })
  assert.equal((await upload(api, token, file)).status, 201)
  assert.equal(await countPictures(api), 1)
  assert.equal((await entriesOf(api.db, { action: 'picture.stored' })).length, 1)
})

test('a setting can name only an uploaded picture, and no file of the server', async (t) => {
  const api = await settingsApi(t)
  const set = (value: string | null) => api.change([{ path: 'look.logo', value }])
  for (const value of ['./logo.png', '/etc/hostname', `/brand/${'a'.repeat(64)}-9x9.webp`]) {
    const { status, body } = await set(value)
    assert.equal(status, 400)
    assert.deepEqual(body.fields, {
      'look.logo': 'look.logo must be a picture that was uploaded to this server',
    })
  }
  const { reference } = (await upload(api, api.token, await makePicture())).body.data as { reference: string }
  assert.equal((await set(reference)).status, 200)
  assert.equal(api.deps.campaign.look?.logo, reference)
  assert.equal((await set(null)).status, 200)
})

test('emails have the look’s colors and logo, with the campaign’s name as alternative text', async (t) => {
  const { campaign, keys } = (await testNode(t)).deps
  const logo = `/brand/${'a'.repeat(64)}-192x96.webp`
  const letterOf = (look: CampaignFile['look']) => {
    const context = { campaign: { ...campaign, look }, publicUrl: 'https://site.example', keys }
    return letter(contextIn(context, 'en'), 'ann', 'Hi', ['Hello.'])
  }
  const plain = letterOf(undefined)
  const branded = letterOf({ logo, colors: { paper: { light: '#ffffff' } } })
  assert.equal(branded.text, plain.text)
  assert.ok(!plain.html.includes('<img'))
  assert.match(branded.html, /background:#ffffff;color:#16130f/)
  const image = `<img src="https://site.example${logo.replace('webp', 'png')}" alt="${campaign.name}" width="96"`
  assert.ok(branded.html.includes(image), branded.html)
})

const nameOf = (content: string) => `${createHash('sha256').update(content).digest('hex')}-64x64`
const referenceOf = (content: string) => `/brand/${nameOf(content)}.webp`

async function setUpStored(t: TestContext) {
  const { db, campaign } = (await testNode(t)).deps
  await syncCampaign(db, campaign)
  type Ages = { daysSinceUpload: number; daysSinceUse?: number }
  const store = (content: string, { daysSinceUpload, daysSinceUse }: Ages) =>
    sql`
      insert into pictures (name, webp, png, source, part, created_at, last_used_at)
      values (${nameOf(content)}, ${Buffer.from(content)}, '', sha256(${Buffer.from(content)}), 'logo',
        now() - ${daysSinceUpload} * interval '1 day',
        now() - ${daysSinceUse ?? null}::integer * interval '1 day')`.execute(db)
  const readContents = async () => {
    const rows = await db.selectFrom('pictures').select('webp').execute()
    return rows.map(({ webp }) => webp.toString()).toSorted()
  }
  return { db, campaign, store, readContents }
}

test('deletes a picture a month after its last use in a setting, or, if it was never used, a day after its upload', async (t) => {
  const { db, campaign, store, readContents } = await setUpStored(t)
  for (const content of ['current', 'archived', 'chosen', 'of the file'])
    await store(content, { daysSinceUpload: 100, daysSinceUse: 99 })
  await store('just uploaded', { daysSinceUpload: 0.9 })
  await store('replaced last week', { daysSinceUpload: 100, daysSinceUse: 7 })
  await store('never used', { daysSinceUpload: 100 })
  await store('replaced long ago', { daysSinceUpload: 100, daysSinceUse: 31 })
  const settingsWith = (content: string) =>
    JSON.stringify({ ...campaign, look: { logo: referenceOf(content) } })
  await sql`update campaigns set settings = ${settingsWith('current')}`.execute(db)
  await sql`insert into campaigns (id, slots_total, settings, archived_at)
    values ('spring', 1, ${settingsWith('archived')}, now())`.execute(db)
  const [chosen, ofFile] = ['chosen', 'of the file'].map((content) => JSON.stringify(referenceOf(content)))
  await sql`insert into campaign_overrides (campaign_id, path, value, file_value)
    values (${campaign.id}, 'look.mascot', ${chosen}, ${ofFile})`.execute(db)

  assert.equal(await purgePictures(db), 2)
  const kept = ['archived', 'chosen', 'current', 'just uploaded', 'of the file', 'replaced last week']
  assert.deepEqual(await readContents(), kept)
  assert.equal(await purgePictures(db), 0)

  // The month begins when a picture is replaced, not when it is uploaded.
  await db.deleteFrom('campaign_overrides').execute()
  assert.equal(await purgePictures(db), 0)
  assert.deepEqual(await readContents(), kept)
})

test('a picture that is uploaded again, even as the other part, stays for another day', async (t) => {
  const { db } = await setUpStored(t)
  // So small that logo and mascot are stored in the same size.
  const file = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const store = (part: 'logo' | 'mascot') => storePicture(db, file, part, { actor: null })
  const passAlmostADay = () =>
    sql`update pictures set created_at = created_at - interval '23 hours'`.execute(db)
  const logo = await store('logo')
  await passAlmostADay()
  assert.deepEqual(await store('mascot'), logo)
  await passAlmostADay()
  assert.equal(await purgePictures(db), 0)
  assert.equal((await entriesOf(db, { action: 'picture.stored' })).length, 1)
})

test('race: a picture that is being chosen stays, and a picture being deleted cannot be chosen', async (t) => {
  const { db, campaign, store, readContents } = await setUpStored(t)
  await store('kept', { daysSinceUpload: 100 })
  await inTransaction(db, async (tx) => {
    assert.ok(await lockStoredPicture(tx, referenceOf('kept')))
    assert.equal(await purgePictures(db), 0)
    await tx
      .insertInto('campaign_overrides')
      .values({ campaign_id: campaign.id, path: 'look.logo', value: JSON.stringify(referenceOf('kept')) })
      .execute()
  })
  assert.equal(await purgePictures(db), 0)
  assert.deepEqual(await readContents(), ['kept'])

  await store('gone', { daysSinceUpload: 100 })
  let choosing: Promise<boolean> | undefined
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('pictures').where('name', '=', nameOf('gone')).execute()
    choosing = inTransaction(db, (other) => lockStoredPicture(other, referenceOf('gone')))
    await untilWaiting(db, 1)
  })
  assert.equal(await choosing, false)
})
