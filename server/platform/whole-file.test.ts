import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { PARTIAL, writeWholeFile } from './whole-file.ts'

test('a file has its name only once it is complete', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'list.csv')
  const meanwhile: string[] = []
  const size = await writeWholeFile(file, async (target) => {
    const lines = async function* () {
      yield 'one\n'
      meanwhile.push(...(await readdir(folder)))
      yield 'two\n'
    }
    await pipeline(lines, target)
  })
  const [draft = '', ...others] = meanwhile
  assert.ok(draft.startsWith(`list.csv${PARTIAL}`), draft)
  assert.deepEqual(others, [])
  assert.deepEqual(await readdir(folder), ['list.csv'])
  assert.equal(await readFile(file, 'utf8'), 'one\ntwo\n')
  assert.equal(size, 8)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('a failed or interrupted write leaves nothing', async (t) => {
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'list.csv')
  const failing = writeWholeFile(file, (target) =>
    pipeline(async function* () {
      yield 'one\n'
      throw new Error('The connection was lost.')
    }, target),
  )
  await assert.rejects(failing, /The connection was lost/)
  const stop = new AbortController()
  const interrupted = writeWholeFile(file, async (target) => {
    const writing = pipeline(new Readable({ read() {} }), target, { signal: stop.signal })
    stop.abort()
    await writing
  })
  await assert.rejects(interrupted, { name: 'AbortError' })
  assert.deepEqual(await readdir(folder), [])
})

test('a file that exists, or appears meanwhile, is not overwritten', async (t) => {
  const folder = await scratchFolder(t)
  const existing = path.join(folder, 'existing.csv')
  await writeFile(existing, 'first')
  const refused = writeWholeFile(existing, (target) => pipeline(['second'], target))
  await assert.rejects(refused, { code: 'EEXIST' })
  // A folder is refused before anything is written.
  await assert.rejects(
    writeWholeFile(folder, () => Promise.reject(new Error('The folder was written to.'))),
    { code: 'EISDIR' },
  )
  assert.equal(await readFile(existing, 'utf8'), 'first')
  const appearing = path.join(folder, 'appearing.csv')
  const overtaken = writeWholeFile(appearing, async (target) => {
    await writeFile(appearing, 'first')
    await pipeline(['second'], target)
  })
  await assert.rejects(overtaken, { code: 'EEXIST' })
  assert.equal(await readFile(appearing, 'utf8'), 'first')
  assert.deepEqual(await readdir(folder), ['appearing.csv', 'existing.csv'])
})
