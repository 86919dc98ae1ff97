import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { submitProof } from '../domain/claims/submission/submit-proof.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { freshProof } from '../testing/builders/proof.ts'
import { assertFailed, assertMisconfigured, assertSucceeded } from '../testing/checks/commands.ts'
import { testNode } from '../testing/deps.ts'
import { entriesOf } from '../testing/journal.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { runWarm } from '../testing/warm-command.ts'

/** A campaign with the participant `ann_arc`, who has a claim. */
async function setUp(t: TestContext) {
  const { db, deps, url } = await testNode(t)
  const names = { username: () => 'ann_arc', email: () => 'ann@arc.example' }
  const [ann] = await createUsers(db, deps.campaign.id, 1, names)
  await submitProof(deps, ann.id, freshProof())
  const env = {
    DATABASE_URL: url,
    DATA_DIR: await scratchFolder(t),
    APP_SECRET: 'a secret of the tests, long enough to be one',
  }
  return {
    db,
    deps,
    ann,
    folder: await scratchFolder(t),
    people: (...args: string[]) => runWarm('people', args, env),
  }
}

test('shows an account with its state and its claims', async (t) => {
  const { people } = await setUp(t)
  const byEmail = await people('show', 'ANN@arc.example')
  assertSucceeded(byEmail, /^ann_arc <ann@arc\.example>\nid {10}[0-9a-f-]{36}\nstate {7}open\n/)
  assert.match(byEmail.out, /claim {7}attempt 1 in .*: submitted/)
})

test('bans an account and lifts the ban, but does not ban the last administrator', async (t) => {
  const { people, db, deps, ann } = await setUp(t)
  await createUsers(db, deps.campaign.id, 1, { role: 'admin', username: () => 'theboss' })
  const banBoss = await people('ban', 'theboss', '--reason', 'A test.')
  assertFailed(banBoss, 1, /^This is the last administrator\./)

  const banned = await people('ban', ann.id, '--reason', 'Several accounts.')
  assertSucceeded(banned, 'ann_arc is banned. We are emailing them the reason.\n')
  assertSucceeded(await people('show', 'ann_arc'), /banned since .*: Several accounts\./)
  assertSucceeded(await people('unban', 'ann_arc'))
  assertSucceeded(await people('show', 'ann_arc'), /state {7}open\n/)
})

test('exports an account to a new file, and records an export only if it wrote a file', async (t) => {
  const { people, db, ann, folder } = await setUp(t)
  const file = path.join(folder, 'ann.json')
  assertSucceeded(await people('export', 'ann_arc', file))
  const { account } = JSON.parse(await readFile(file, 'utf8')) as { account: { email: string } }
  assert.equal(account.email, ann.email)

  assertMisconfigured(
    await people('export', 'ann_arc', file),
    /^.*ann\.json cannot be written: it exists, .*\n$/,
  )
  assert.equal((await entriesOf(db, { action: 'user.data_exported' })).length, 1)
  assert.deepEqual(await readdir(folder), ['ann.json'], 'no draft is left')
})

test('deletes an account, which then has no name and nothing to export', async (t) => {
  const { people, ann, folder } = await setUp(t)
  assertSucceeded(await people('delete', 'ann_arc', '--yes'), /^The account of ann_arc is deleted\./)
  const unknown = 'There is no account with the email ann@arc.example.\n'
  assertFailed(await people('show', ann.email), 1, unknown)
  assertSucceeded(await people('show', ann.id), /^A deleted account\n/)
  assertFailed(await people('export', ann.id, path.join(folder, 'gone.json')), 1, /deleted/)
  assert.deepEqual(await readdir(folder), [], 'no draft is left')
})
