import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { testNode } from '#server/testing/deps.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { untilWaiting } from '#server/testing/database/races.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { lockStoredPicture, purgePictures, storePicture } from './pictures.ts'

const nameOf = (content: string) => `${createHash('sha256').update(content).digest('hex')}-64x64`
const referenceOf = (content: string) => `/brand/${nameOf(content)}.webp`

async function setUp(t: TestContext) {
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

test('deletes a picture a month after a setting last named it, or a day after the upload if none ever did', async (t) => {
  const { db, campaign, store, readContents } = await setUp(t)
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

  // A month counts from when a picture was replaced, not from when it was uploaded.
  await db.deleteFrom('campaign_overrides').execute()
  assert.equal(await purgePictures(db), 0)
  assert.deepEqual(await readContents(), kept)
})

test('a picture that is uploaded again, even for the other part, stays for another day', async (t) => {
  const { db } = await setUp(t)
  // Small, so that it is stored in the same size for both parts.
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

test('race: a picture that is being chosen stays, and one that is being deleted cannot be chosen', async (t) => {
  const { db, campaign, store, readContents } = await setUp(t)
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
