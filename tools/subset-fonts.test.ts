import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { LOCALE_NAMES } from '#contract/locales.ts'
import { charactersOf, facesOf } from './subset-fonts.ts'

test('the Chinese fonts have the characters of the Chinese name, and no others', async () => {
  const styles = await readFile(new URL('../web/styles/fonts.css', import.meta.url), 'utf8')
  const ranges = facesOf(styles).flatMap(({ family, range }) => (family === 'noto-sans-sc' ? [range] : []))
  const characters = ranges.map(charactersOf).join('')
  assert.deepEqual([...characters].toSorted(), [...LOCALE_NAMES['zh-Hans']].toSorted())
})
