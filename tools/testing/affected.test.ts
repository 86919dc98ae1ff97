import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { scratchFolder, writeFiles } from '#server/testing/scratch-folder.ts'
import { affectedTests, changedSince } from './affected.ts'

const FILES = {
  'contract/fields.ts': '',
  'server/rules.ts': "import { limit } from '#contract/fields.ts'",
  'server/rules.test.ts': "import { check } from './rules.ts'",
  'server/other.ts': '',
  'server/other.test.ts': "import { other } from './other.ts'",
  'server/commands/seed.ts': "import { check } from '../rules.ts'",
  // Runs a command without importing it.
  'server/commands/seed.test.ts': "const program = path.join(folder, 'seed.ts')",
  'server/commands/admin.test.ts': "const program = 'tools/bootstrap.mjs'",
  'server/site/pages.test.ts': '',
  'server/testing/random.ts': '',
  'tools/bootstrap.mjs': '',
  'e2e/support/people.ts': '',
  'e2e/login.spec.ts': "import { person } from './support/people.ts'",
  'e2e/home.spec.ts': '',
  'tools/docs.test.ts': '',
}
const TESTS = Object.keys(FILES).filter((file) => /\.(test|spec)\.ts$/.test(file))

async function checkout(t: TestContext): Promise<string> {
  const root = await scratchFolder(t)
  await writeFiles(root, FILES)
  return root
}

test('selects the tests that import a changed file, and all tests of the built product if it is product code', async (t) => {
  const root = await checkout(t)
  const affected = (...changed: string[]) => affectedTests(root, changed, TESTS)
  // They start the program through bootstrap.mjs, or are in a folder whose tests open the built site.
  const ofProduct = [
    'server/commands/admin.test.ts',
    'server/site/pages.test.ts',
    'e2e/login.spec.ts',
    'e2e/home.spec.ts',
  ]
  assert.deepEqual(affected('contract/fields.ts'), [
    'server/rules.test.ts',
    'server/commands/seed.test.ts',
    ...ofProduct,
  ])
  assert.deepEqual(affected('server/other.ts'), ['server/other.test.ts', ...ofProduct])
  assert.deepEqual(affected('server/other.test.ts'), ['server/other.test.ts'])
  assert.deepEqual(affected('e2e/support/people.ts'), ['e2e/login.spec.ts'])
  assert.deepEqual(affected('server/testing/random.ts'), [])
  assert.deepEqual(affected(), [])
})

test('selects the tests of documents for a document, and all tests for a file that is not code', async (t) => {
  const root = await checkout(t)
  assert.deepEqual(affectedTests(root, ['docs/scaling.md'], TESTS), ['tools/docs.test.ts'])
  for (const file of ['package-lock.json', 'server/migrations/0099_more.sql', 'web/styles/site.css'])
    assert.deepEqual(affectedTests(root, ['docs/scaling.md', file], TESTS), TESTS, file)
})

test('finds committed, uncommitted and new files since a branch', async (t) => {
  const root = await checkout(t)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=pip', '-c', 'user.email=pip@mail.example', ...args], { cwd: root })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  git('switch', '--quiet', '--create=mine')
  await writeFile(path.join(root, 'server/rules.ts'), 'committed')
  git('commit', '--quiet', '--all', '--message=second')
  await writeFile(path.join(root, 'server/other.ts'), 'not committed')
  await writeFile(path.join(root, 'server/new.ts'), 'new')
  assert.deepEqual(changedSince(root, 'main').toSorted(), [
    'server/new.ts',
    'server/other.ts',
    'server/rules.ts',
  ])
})
