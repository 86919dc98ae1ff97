import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import opentype from 'opentype.js'
import subsetFont from 'subset-font'
import { LOCALE_NAMES } from '#contract/locales.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { FAMILIES } from './faces.ts'
import { mergeFonts } from './merge-fonts.ts'
import { hashSources, partsOf } from './subset-fonts.ts'

const NAME = LOCALE_NAMES['zh-Hans']
const FILES = path.resolve(import.meta.dirname, '../../node_modules/@fontsource-variable/noto-sans-sc/files')

/** Merges what each part of the Chinese font has of {@link NAME}. */
async function mergeName(): Promise<Buffer> {
  const { ranges = {} } = FAMILIES.find((family) => family.package === 'noto-sans-sc') ?? {}
  const [suffix = '', ...others] = Object.keys(ranges)
  assert.deepEqual(others, [], 'the family has one font')
  const subsets = await Promise.all(
    partsOf(suffix).map(async (part) =>
      subsetFont(await readFile(path.join(FILES, `noto-sans-sc-${part}-wght-normal.woff2`)), NAME, {
        targetFormat: 'truetype',
        variationAxes: { wght: 500 },
        preserveNameIds: [0, 14], // copyright and license
      }),
    ),
  )
  return mergeFonts(subsets)
}

test('the merged font draws every character of the Chinese name', async () => {
  const { buffer } = new Uint8Array(await mergeName())
  const { glyphs, names } = opentype.parse(buffer)
  const drawn = Array.from({ length: glyphs.length }, (_, index) => glyphs.get(index)).filter(
    ({ unicode, path: { commands } }) => unicode !== undefined && commands.length > 0,
  )
  assert.deepEqual(
    drawn.map(({ unicode }) => String.fromCodePoint(unicode ?? 0)).toSorted(),
    [...NAME].toSorted(),
  )
  assert.match(names.windows.copyright.en, /Adobe/)
  assert.match(names.windows.licenseURL.en, /OFL/)
})

test('the file for the Chinese name does not depend on the date of the build', async (t) => {
  const make = async () => subsetFont(await mergeName(), NAME, { targetFormat: 'woff2' })
  t.mock.timers.enable({ apis: ['Date'], now: 0 })
  const first = await make()
  t.mock.timers.tick(1_000_000)
  assert.deepEqual(await make(), first)
})

test('a change of the code that generates the fonts changes the hash of the sources', async (t) => {
  const folder = await scratchFolder(t)
  const hashOf = async (code: string) => {
    await writeFile(path.join(folder, 'subset-fonts.ts'), code)
    return hashSources(folder)
  }
  assert.equal(await hashOf('one'), await hashOf('one'))
  assert.notEqual(await hashOf('one'), await hashOf('two'))
})
