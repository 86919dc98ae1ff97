import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { newId } from '#server/platform/database/ids.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { backedUp, copyChanged, emptyTarget } from '#server/testing/backups.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { assertClaimCountsFit } from '#server/testing/checks/ledger-invariants.ts'
import { databaseBefore } from '#server/testing/database/database.ts'
import { backUp } from './back-up.ts'
import { checkBackup, restore } from './restore.ts'

test('refuses a file that is damaged, cut off, of another version, or not a backup', async (t) => {
  const { file, dataDir } = await backedUp(t)
  const bytes = await readFile(file)
  const text = gunzipSync(bytes).toString()
  // A bit of gzip's checksum (bytes 8 to 5 from the end). Elsewhere, chance decides what breaks.
  const flipped = Buffer.from(bytes)
  flipped[bytes.length - 6] = (flipped[bytes.length - 6] ?? 0) ^ 0x10
  const other = path.join(dataDir, 'other')
  const cases: [damage: string, content: Buffer, reason: RegExp][] = [
    ['flipped', flipped, /is damaged/],
    ['cut before its checksum', bytes.subarray(0, bytes.length - 9), /is cut off: its end is missing\.$/],
    ['half', bytes.subarray(0, bytes.length >> 1), /is cut off/],
    ['cut at a line, zipped anew', gzipSync(text.split('\n').slice(0, -2).join('\n')), /is cut off/],
    ['edited', gzipSync(text.replace('@', '+')), /is damaged: its content does not fit its checksum\.$/],
    ['a line too many', gzipSync(`${text}{}\n`), /is damaged/],
    ['a number for a section', gzipSync(text.replace('\n', '\n7\n')), /is damaged\.$/],
    ['nothing', Buffer.alloc(0), /is cut off/],
    ['a text', Buffer.from('no backup, but long enough to be read'), /is not a backup of this program\.$/],
    ['a zipped text', gzipSync('a text\n'), /is not a backup of this program/],
    ['newer', gzipSync(text.replace('"version":2', '"version":3')), /has the format 3 of a newer version/],
  ]
  for (const [damage, content, reason] of cases) {
    await writeFile(other, content)
    await assert.rejects(checkBackup(other), reason, damage)
  }
  await copyChanged(file, other, (backup) => backup.replace('0030_backups.sql', '9030_later.sql'))
  const newer = /is newer than this program, which does not know 9030_later\.sql:/
  await assert.rejects(checkBackup(other), newer)
  await copyChanged(file, other, (backup) => backup.replace(/("0001_accounts.sql","sha256":")./, '$1x'))
  await assert.rejects(checkBackup(other), /whose 0001_accounts\.sql differs\./)
})

test('a backup of an earlier version is migrated, and a database of a later one can be replaced', async (t) => {
  // With the schema from before the migration that adds the table `claim_counts`.
  const source = await databaseBefore(t, 'claim_counts')
  await source.query(`insert into campaigns (id, slots_total, slots_taken) values ('moon', 9, 1)`)
  const id = newId()
  await source.query(
    `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
     values ($1, 'ann', 'a', 'a', 'a', 'none', 'ANN')`,
    [id],
  )
  await source.query(
    `insert into slots (campaign_id, number, user_id, state) values ('moon', 1, $1, 'claimed')`,
    [id],
  )
  await source.query(
    `insert into claims (id, campaign_id, user_id, slot, wallet, telegram, twitter, post_id, retweet_link)
     values ($1, 'moon', $1, 1, 'w', 't', 'x', 'p', 'https://x.com/p')`,
    [id],
  )
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'older.backup')
  await backUp({ url: source.options.connectionString ?? '', dataDir: folder, appSecret: undefined }, file)

  const { target, pool, db } = await emptyTarget(t)
  await migrate(pool)
  await pool.query(`insert into migrations (name, sha256) values ('9001_later.sql', '')`)
  await pool.query('create table later (a int)')
  const { secret } = await restore(target, await checkBackup(file))
  assert.equal(secret, 'restored', 'also said of a backup that needs no secret')
  await assertClaimCountsFit(db)
  await migrate(pool, (line) => assert.fail(`a migration is missing: ${line}`))
  const { rows } = await pool.query(
    `select (select sum(claims)::int from claim_counts) as counted, to_regclass('later') as later`,
  )
  assert.deepEqual(rows, [{ counted: 1, later: null }])
})
