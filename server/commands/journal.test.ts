import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { sealJournal } from '../domain/journal/seal.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import { runCommand } from '../testing/product.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { ANY_ENTRY, entriesOf, recordEntries, assertSealed } from '../testing/journal.ts'

/** Without a URL, the command may not ask a database for anything. */
const journal = (args: string[], url = 'of no use') => runCommand('journal', args, { DATABASE_URL: url })

test('exports a file that verifies alone and against a published head, and names the first invalid line', async (t) => {
  const { db, url } = await testDatabase(t)
  // Characters that other programs treat as line separators.
  await recordEntries(
    db,
    ANY_ENTRY,
    { ...ANY_ENTRY, details: { reason: 'one\u2028two\u2029three\r\nfour' } },
    ANY_ENTRY,
  )
  await sealJournal(db)
  const file = path.join(await scratchFolder(t), 'journal.ndjson')
  const done = await journal(['export', file], url)
  assert.deepEqual([done.code, done.err], [0, ''])
  assert.match(done.out, /^Wrote the journal to .*journal\.ndjson/)
  assert.equal((await stat(file)).mode & 0o777, 0o600)

  const whole = await journal(['verify', file])
  assert.equal(whole.code, 0, whole.err)
  const [, head = ''] = /^ok: 3 entries, head ([0-9a-f]{64}@3)\n$/.exec(whole.out) ?? []
  const against = await journal(['verify', file, '--head', head])
  assert.equal(against.code, 0)
  assert.equal(against.out, `${whole.out}It contains the published head of entry 3.\n`)

  await writeFile(file, (await readFile(file, 'utf8')).replace('three', 'four'))
  const edited = await journal(['verify', file])
  assert.deepEqual([edited.code, edited.out], [1, ''])
  assert.equal(edited.err, `${file}, line 2: the details of entry 2 were edited.\n`)

  const again = await journal(['export', file], url)
  assert.equal(again.code, 1, 'an existing file is not overwritten')
  assert.match(again.err, /journal\.ndjson exists/)
  const exports = await entriesOf(db, { action: 'journal.exported' })
  assert.equal(exports.length, 1, 'what was not exported is not recorded')
  const bare = path.join(path.dirname(file), 'bare.ndjson')
  assert.equal((await journal(['export', bare, '--without-details'], url)).code, 0)
  assert.doesNotMatch(await readFile(bare, 'utf8'), /192\.0\.2|reason/)
  assert.match((await journal(['verify', bare])).out, /^ok: .*\n3 entries have no details/)
  assert.match((await journal(['verify', '/nowhere/at-all'])).err, /ENOENT/)
})

test('erases the personal details in a user’s entries and keeps the chain valid', async (t) => {
  const { db, url } = await testDatabase(t)
  const { campaign } = await testDeps(db)
  const [ann, ben] = await createUsers(db, campaign.id, 2)
  await recordEntries(
    db,
    { ...ANY_ENTRY, subject: ann.id },
    { ...ANY_ENTRY, actor: ann.id },
    { ...ANY_ENTRY, subject: ben.id },
  )
  const before = await assertSealed(db)
  const unknown = await journal(['erase', '0190a000-0000-7000-8000-000000000000'], url)
  assert.deepEqual(
    [unknown.code, unknown.out, unknown.err],
    [1, '', 'There is no account with the ID 0190a000-0000-7000-8000-000000000000.\n'],
  )
  const erased = await journal(['erase', ann.id], url)
  assert.deepEqual([erased.code, erased.err], [0, ''])
  const after = await assertSealed(db)
  const haveDetails = after.slice(0, 3).map(({ details }) => details !== undefined)
  assert.deepEqual(haveDetails, [false, false, true])
  const hashes = after.slice(0, 3).map(({ hash }) => hash)
  assert.deepEqual(
    hashes,
    before.map(({ hash }) => hash),
  )
  const last = after.at(-1) ?? assert.fail()
  assert.deepEqual(
    [last.action, last.subject, last.after],
    ['journal.details_erased', ann.id, { entries: 2 }],
  )
})
