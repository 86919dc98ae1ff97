import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '../server/testing/scratch-folder.ts'
import { keepAssets } from './built-assets.ts'

test('a build keeps the assets of the build before it, but none of older builds', async (t) => {
  const folder = await scratchFolder(t)
  const assetsOf = (build: string) => path.join(folder, build, 'client/assets')
  const build = async (name: string, previous: string, files: string[]) => {
    await mkdir(assetsOf(name), { recursive: true })
    for (const file of files) await writeFile(path.join(assetsOf(name), file), name)
    await keepAssets(path.join(folder, name), path.join(folder, previous))
    return (await readdir(assetsOf(name))).toSorted()
  }
  assert.deepEqual(await build('first', 'none', ['app-1.js', 'same.js']), ['app-1.js', 'same.js'])
  assert.deepEqual(await build('second', 'first', ['app-2.js', 'same.js']), [
    'app-1.js',
    'app-2.js',
    'same.js',
  ])
  assert.equal(await readFile(path.join(assetsOf('second'), 'same.js'), 'utf8'), 'second')
  assert.deepEqual(await build('third', 'second', ['app-3.js']), ['app-2.js', 'app-3.js', 'same.js'])
})
