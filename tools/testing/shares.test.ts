import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { LONGEST, sharesOf } from './shares.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Paths of test files in order, with the files in LONGEST among them. */
const filesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `server/${String(index).padStart(4, '0')}.test.ts`)
    .with(3, LONGEST[0] ?? '')
    .with(4, LONGEST[1] ?? '')
    .with(5, LONGEST[2] ?? '')

// A share is the files that one process runs.

test('each file is in one share, and each process has a share', () => {
  for (const count of [6, 7, 24, 25, 30, 100, 261, 500])
    for (const processes of [1, 2, 3]) {
      const files = filesOf(count)
      const shares = sharesOf(files, processes)
      assert.deepEqual(shares.flat().toSorted(), files.toSorted(), `${count} files`)
      assert.ok(
        shares.length >= processes && shares.every(({ length }) => length > 0),
        `${shares.length} shares`,
      )
    }
  assert.deepEqual(sharesOf(['a', 'b', 'c'], 2), [['a', 'c'], ['b']], 'neighbors are in different shares')
  assert.deepEqual(sharesOf([], 2), [])
})

test('the files in LONGEST exist, and each begins one of the first shares', () => {
  for (const file of LONGEST) assert.ok(existsSync(path.join(ROOT, file)), file)
  const shares = sharesOf(filesOf(261), 2)
  const beginnings = shares.slice(0, LONGEST.length).map(([file]) => file)
  assert.deepEqual(beginnings, LONGEST)
})

test('all processes end at about the same time, even if every other file takes long', () => {
  const files = filesOf(261)
  const secondsOf = (file: string) => (LONGEST.includes(file) ? 30 : files.indexOf(file) % 2 === 0 ? 4 : 1)
  for (const processes of [2, 3]) {
    const busy = Array.from({ length: processes }, () => 0)
    for (const share of sharesOf(files, processes)) {
      const free = busy.indexOf(Math.min(...busy))
      // One second to start, plus the time of its files.
      busy[free] = (busy[free] ?? 0) + share.reduce((sum, file) => sum + secondsOf(file), 1)
    }
    const total = busy.reduce((sum, seconds) => sum + seconds)
    assert.ok(Math.max(...busy) - Math.min(...busy) < 0.05 * total, `${busy.join()} s`)
  }
})
