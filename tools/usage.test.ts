import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '..')

const WRONG: [program: string, args: string[], answer: RegExp][] = [
  ['chaos/main.ts', ['--minutes', 'x'], /^Usage: npm run chaos .+\n$/],
  ['deploy/cluster/main.ts', ['down', 'x'], /^Usage: npm run cluster .+\n$/],
  ['tools/screenshots.ts', ['--no'], /^Usage: npm run screenshots .+\n$/],
  ['tools/test.ts', ['--no'], /^Usage: npm test .+\n$/],
  ['tools/test.ts', ['no/such', 'either'], /^No test file has no\/such or either in its path\.\n$/],
]
for (const [program, args, answer] of WRONG)
  test(`${program} ${args.join(' ')} says what is wrong, and nothing else`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    assert.match(stderr, answer)
    assert.deepEqual([status, stdout], [1, ''])
  })
