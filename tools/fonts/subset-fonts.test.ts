import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import opentype from 'opentype.js'
import subsetFont from 'subset-font'
import { LOCALE_NAMES } from '#contract/locales.ts'
import { mergeFonts } from './merge-fonts.ts'
import { charactersOf, facesOf } from './subset-fonts.ts'

const NAME = LOCALE_NAMES['zh-Hans']
const FILES = path.resolve(import.meta.dirname, '../../node_modules/@fontsource-variable/noto-sans-sc/files')

async function chineseFace() {
  const styles = await readFile(new URL('../../web/styles/fonts.css', import.meta.url), 'utf8')
  const [face, ...others] = facesOf(styles).filter(({ family }) => family === 'noto-sans-sc')
  assert.ok(face)
  assert.deepEqual(others, [])
  return face
}

test('the Chinese font has the characters of the Chinese name, and no others', async () => {
  const { range } = await chineseFace()
  assert.deepEqual([...charactersOf(range)].toSorted(), [...NAME].toSorted())
})

test('the files that are merged for the Chinese name together draw all of its characters', async () => {
  const { parts } = await chineseFace()
  const subsets = await Promise.all(
    parts.map(async (part) =>
      subsetFont(await readFile(path.join(FILES, `noto-sans-sc-${part}-wght-normal.woff2`)), NAME, {
        targetFormat: 'truetype',
        variationAxes: { wght: 500 },
        preserveNameIds: [0, 14],
      }),
    ),
  )
  const { buffer } = new Uint8Array(mergeFonts(subsets))
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
