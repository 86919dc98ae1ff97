import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { testDatabase } from '#server/testing/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { untilWaiting } from '#server/testing/races.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { isStoredPicture, purgePictures, storePicture } from './pictures.ts'

const nameOf = (of: string) => `${createHash('sha256').update(of).digest('hex')}-64x64`
const referenceOf = (of: string) => `/brand/${nameOf(of)}.webp`

async function setUp(t: Parameters<typeof testDatabase>[0]) {
  const { db } = await testDatabase(t)
  const { campaign } = await testDeps(db)
  await syncCampaign(db, campaign)
  /** @param uploaded days since the upload. @param used days since a setting named it; null for never. */
  const store = (of: string, { uploaded, used }: { uploaded: number; used: number | null }) =>
    sql`
      insert into pictures (name, webp, png, source, part, created_at, last_used_at)
      values (${nameOf(of)}, ${Buffer.from(of)}, '', sha256(${Buffer.from(of)}), 'logo',
        now() - ${uploaded} * interval '1 day', now() - ${used}::integer * interval '1 day')`.execute(db)
  const left = async () => {
    const rows = await db.selectFrom('pictures').select('webp').execute()
    return rows.map(({ webp }) => webp.toString()).toSorted()
  }
  return { db, campaign, store, left }
}

test('deletes pictures that no setting has named for a month, or never did for a day after the upload, and no others', async (t) => {
  const { db, campaign, store, left } = await setUp(t)
  for (const part of ['current', 'archived', 'chosen', 'of the file'])
    await store(part, { uploaded: 100, used: 99 })
  await store('just uploaded', { uploaded: 0.9, used: null })
  await store('replaced last week', { uploaded: 100, used: 7 })
  await store('never used', { uploaded: 100, used: null })
  await store('replaced long ago', { uploaded: 100, used: 31 })
  const naming = (of: string) => JSON.stringify({ ...campaign, look: { logo: referenceOf(of) } })
  await sql`update campaigns set settings = ${naming('current')}`.execute(db)
  await sql`insert into campaigns (id, slots_total, settings, archived_at)
    values ('spring', 1, ${naming('archived')}, now())`.execute(db)
  const [chosen, ofFile] = ['chosen', 'of the file'].map((of) => JSON.stringify(referenceOf(of)))
  await sql`insert into campaign_overrides (campaign_id, path, value, file_value)
    values (${campaign.id}, 'look.mascot', ${chosen}, ${ofFile})`.execute(db)

  assert.equal(await purgePictures(db), 2)
  const kept = ['archived', 'chosen', 'current', 'just uploaded', 'of the file', 'replaced last week']
  assert.deepEqual(await left(), kept)
  assert.equal(await purgePictures(db), 0)

  // A month counts from when it was replaced, not from when it was uploaded.
  await db.deleteFrom('campaign_overrides').execute()
  assert.equal(await purgePictures(db), 0)
  assert.deepEqual(await left(), kept)
})

test('a picture that is uploaded again, even for the other part, stays for another day', async (t) => {
  const { db } = await setUp(t)
  // Of one color and small, it is the same picture in both parts.
  const file = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const store = (part: 'logo' | 'mascot') => storePicture(db, file, part, { actor: null })
  const logo = await store('logo')
  await sql`update pictures set created_at = created_at - interval '23 hours'`.execute(db)
  assert.deepEqual(await store('mascot'), logo)
  await sql`update pictures set created_at = created_at - interval '23 hours'`.execute(db)
  assert.equal(await purgePictures(db), 0)
  assert.equal((await entriesOf(db, { action: 'picture.stored' })).length, 1)
})

test('race: a picture that is being chosen stays, and one that is being deleted cannot be chosen', async (t) => {
  const { db, campaign, store, left } = await setUp(t)
  await store('kept', { uploaded: 100, used: null })
  await inTransaction(db, async (tx) => {
    assert.ok(await isStoredPicture(tx, referenceOf('kept')))
    assert.equal(await purgePictures(db), 0)
    await tx
      .insertInto('campaign_overrides')
      .values({ campaign_id: campaign.id, path: 'look.logo', value: JSON.stringify(referenceOf('kept')) })
      .execute()
  })
  assert.equal(await purgePictures(db), 0)
  assert.deepEqual(await left(), ['kept'])

  await store('gone', { uploaded: 100, used: null })
  let choosing: Promise<boolean> | undefined
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('pictures').where('name', '=', nameOf('gone')).execute()
    choosing = inTransaction(db, (other) => isStoredPicture(other, referenceOf('gone')))
    await untilWaiting(db, 1)
  })
  assert.equal(await choosing, false)
})
