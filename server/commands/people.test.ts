import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { submitProof } from '#contract/claims/claims.ts'
import { testApi } from '../testing/api.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { freshProof } from '../testing/builders/proof.ts'
import { entriesOf } from '../testing/journal.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { runCommand } from '../testing/product.ts'

test('shows, bans, exports and deletes the account that is named by email, username or id', async (t) => {
  const api = await testApi(t)
  const dataDir = await scratchFolder(t)
  const { id } = api.deps.campaign
  await createUsers(api.db, id, 1, { role: 'admin', username: () => 'theboss' })
  const names = { username: () => 'ann_arc', email: () => 'ann@arc.example' }
  const [ann] = await createUsers(api.db, id, 1, names)
  await api.call(submitProof, { token: ann.token, body: freshProof() })
  const env = {
    DATABASE_URL: api.url,
    DATA_DIR: dataDir,
    APP_SECRET: 'a secret of the tests, long enough to be one',
  }
  const people = (...args: string[]) => runCommand('people', args, env)
  const refused = async (line: RegExp, ...args: string[]) => {
    const { code, out, err } = await people(...args)
    assert.deepEqual([code, out], [1, ''], args.join(' '))
    assert.match(err, line)
  }

  const shown = await people('show', 'ANN@arc.example')
  assert.equal(shown.code, 0, shown.err)
  assert.match(shown.out, /^ann_arc <ann@arc\.example>\nid {10}[0-9a-f-]{36}\nstate {7}open\n/)
  assert.match(shown.out, /claim {7}attempt 1 in .*: submitted/)
  await refused(/^This is the last administrator\./, 'ban', 'theboss', '--reason', 'A test.')

  const banned = await people('ban', ann.id, '--reason', 'Several accounts.')
  assert.deepEqual(banned, {
    code: 0,
    out: 'ann_arc is banned. We are emailing them the reason.\n',
    err: '',
  })
  assert.match((await people('show', 'ann_arc')).out, /banned since .*: Several accounts\./)
  assert.equal((await people('unban', 'ann_arc')).code, 0)

  const file = path.join(dataDir, 'ann.json')
  assert.equal((await people('export', 'ann_arc', file)).code, 0)
  assert.equal(
    (JSON.parse(await readFile(file, 'utf8')) as { account: { email: string } }).account.email,
    ann.email,
  )
  const countExports = async () => (await entriesOf(api.db, { action: 'user.data_exported' })).length
  assert.equal(await countExports(), 1)
  await refused(/^.*ann\.json exists\n$/, 'export', 'ann_arc', file)
  await refused(/ENOENT/, 'export', 'ann_arc', path.join(dataDir, 'nowhere', 'ann.json'))
  assert.equal(await countExports(), 1, 'nothing was exported')
  const deleted = await people('delete', 'ann_arc', '--yes')
  assert.match(deleted.out, /^The account of ann_arc is deleted\./)
  await refused(/^There is no account with the email ann@arc\.example\.\n$/, 'show', ann.email)
  assert.match((await people('show', ann.id)).out, /^A deleted account\n/)
  await refused(/deleted/, 'export', ann.id, path.join(dataDir, 'gone.json'))
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name !== 'app-secret'),
    ['ann.json'],
    'no draft is left',
  )
})
