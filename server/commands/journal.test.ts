import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { sealJournal } from '../domain/journal/seal.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { assertFailed, assertMisconfigured, assertSucceeded } from '../testing/checks/commands.ts'
import { testDatabase } from '../testing/database/database.ts'
import { testDeps } from '../testing/deps.ts'
import { runWarm } from '../testing/warm-command.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { ANY_ENTRY, entriesOf, recordEntries, assertSealed } from '../testing/journal.ts'

/** Without a URL, the command must not use a database. */
const journal = (args: string[], url = 'of no use') => runWarm('journal', args, { DATABASE_URL: url })

async function setUp(t: TestContext) {
  const { db, url } = await testDatabase(t)
  // Some programs take U+2028 and U+2029 for line separators.
  const details = { reason: 'one\u2028two\u2029three\r\nfour' }
  await recordEntries(db, ANY_ENTRY, { ...ANY_ENTRY, details }, ANY_ENTRY)
  await sealJournal(db)
  const file = path.join(await scratchFolder(t), 'journal.ndjson')
  return { db, file, exportTo: (...args: string[]) => journal(['export', ...args], url) }
}

test('exports a private file that verifies alone and against a published head', async (t) => {
  const { file, exportTo } = await setUp(t)
  assertSucceeded(await exportTo(file), /^Wrote the journal to .*journal\.ndjson/)
  assert.equal((await stat(file)).mode & 0o777, 0o600)

  const verified = await journal(['verify', file])
  assertSucceeded(verified, /^ok: 3 entries, head [0-9a-f]{64}@3\n$/)
  const [head = ''] = /[0-9a-f]{64}@3/.exec(verified.out) ?? []
  assertSucceeded(
    await journal(['verify', file, '--head', head]),
    `${verified.out}It contains the published head of entry 3.\n`,
  )
})

test('names the first line that is not valid, and a file that cannot be read', async (t) => {
  const { file, exportTo } = await setUp(t)
  await exportTo(file)
  await writeFile(file, (await readFile(file, 'utf8')).replace('three', 'four'))
  const edited = `${file}, line 2: the details of entry 2 were edited.\n`
  assertFailed(await journal(['verify', file]), 1, edited)
  assertFailed(await journal(['verify', '/nowhere/at-all']), 1, '/nowhere/at-all does not exist.\n')
})

test('does not replace an existing file, and records only what was exported', async (t) => {
  const { db, file, exportTo } = await setUp(t)
  await writeFile(file, 'something else')
  assertMisconfigured(
    await exportTo(file),
    /journal\.ndjson cannot be written: it exists, and is never replaced\./,
  )
  assert.equal(await readFile(file, 'utf8'), 'something else')
  assert.deepEqual(await entriesOf(db, { action: 'journal.exported' }), [])
  assertSucceeded(await exportTo(`${file}.new`))
  assert.equal((await entriesOf(db, { action: 'journal.exported' })).length, 1)
})

test('a file that is exported without details can be verified', async (t) => {
  const { file, exportTo } = await setUp(t)
  assertSucceeded(await exportTo(file, '--without-details'))
  const { network } = ANY_ENTRY
  assert.doesNotMatch(await readFile(file, 'utf8'), new RegExp(`${network}|reason`))
  assertSucceeded(await journal(['verify', file]), /^ok: .*\n3 entries have no details/)
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
  const unknownId = '0190a000-0000-7000-8000-000000000000'
  const refusal = `There is no account with the ID ${unknownId}.\n`
  assertFailed(await journal(['erase', unknownId], url), 1, refusal)

  assertSucceeded(await journal(['erase', ann.id], url))
  const lines = await assertSealed(db)
  const after = lines.slice(0, before.length)
  const haveDetails = after.map(({ details }) => details !== undefined)
  assert.deepEqual(haveDetails, [false, false, true])
  const hashesOf = (list: typeof lines) => list.map(({ hash }) => hash)
  assert.deepEqual(hashesOf(after), hashesOf(before))
  const erasure = lines.at(-1)
  assert.partialDeepStrictEqual(erasure, { action: 'journal.details_erased', subject: ann.id })
  assert.deepEqual(erasure?.after, { entries: 2 })
})
