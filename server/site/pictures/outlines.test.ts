import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locale } from '#contract/locales.ts'
import { loadFonts } from './fonts.ts'
import { createOutlines, legible } from './outlines.ts'
import { wordsOf } from './line-breaks.ts'

/** The glyphs of a text from left to right, as their shapes, and where each begins. */
async function glyphsOf(locale: Locale, text: string, others: readonly string[] = []) {
  const outlineOf = createOutlines(await loadFonts([text, ...others], locale), locale)
  const drawn = (words: string) =>
    [...outlineOf(words, 500).svg.matchAll(/translate\(([\d.-]+) [^>]* d="([^"]+)"/g)]
      .map(([, x, shape = '']) => ({ x: Number(x), shape }))
      .toSorted((one, other) => one.x - other.x)
  return { glyphs: drawn(text), drawn, widthOf: (words: string) => outlineOf(words, 500).width }
}

test('Arabic letters are joined and run from right to left', async () => {
  const { glyphs, drawn, widthOf } = await glyphsOf('ar', 'يدعوك')
  const alone = [...'يدعوك'].map((letter) => widthOf(letter)).reduce((sum, width) => sum + width)
  assert.ok(widthOf('يدعوك') < alone, 'joined letters are narrower than those that stand alone')
  // The last letter is at the left, in the shape it has at the end of a word.
  const [last] = glyphs
  const [standing] = drawn('ك')
  assert.equal(last?.shape, standing?.shape)
  assert.ok(!glyphs.some(({ shape }) => shape === drawn('ي')[0]?.shape), 'the first letter is joined')
})

test('Latin words keep their order within Arabic, and brackets and full stops are at the right place', async () => {
  const { glyphs, drawn } = await glyphsOf('ar', 'عن (PF).', [')'])
  const [stop, bracket, p, f, closing] = glyphs.map(({ shape }) => shape)
  const shapeOf = (character: string) => drawn(character).at(0)?.shape
  assert.equal(p, shapeOf('P'))
  assert.equal(f, shapeOf('F'))
  assert.equal(stop, shapeOf('.'))
  // Alone in right-to-left text, each bracket is the mirror of what it is in English.
  assert.equal(bracket, shapeOf(')'))
  assert.equal(closing, shapeOf('('))
})

test('Turkish letters are those of Turkish, and an i keeps its dot beside an f', async () => {
  const { glyphs, drawn } = await glyphsOf('tr', 'fiğışİ')
  assert.equal(glyphs.length, 6)
  assert.notEqual(drawn('i')[0]?.shape, drawn('ı')[0]?.shape)
  assert.equal(glyphs[1]?.shape, drawn('i')[0]?.shape)
})

test('a word that no font has is left out, an emoji alone; the rest stays', async () => {
  const text = 'Pocket 한국어 Future🚀 🪙 привет ไทยabc 日本'
  const subsetOf = await loadFonts([text], 'en')
  assert.equal(legible(text, 'en', subsetOf), 'Pocket Future привет 日本')
  assert.equal(legible('한국어 🚀', 'en', subsetOf), '')
  const chinese = '空投🚀한국开始'
  assert.equal(legible(chinese, 'zh-Hans', await loadFonts([chinese], 'zh-Hans')), '空投开始')
})

test('isolates and other marks without a shape take no room', async () => {
  const plain = await glyphsOf('ar', 'عن PF')
  const marked = await glyphsOf('ar', '\u2067عن \u2068PF\u2069\u2069\u200f\ufe0f')
  assert.deepEqual(marked.glyphs, plain.glyphs)
  const subsetOf = await loadFonts(['عن'], 'ar')
  assert.equal(legible('\u2067عن\u2069', 'ar', subsetOf), '\u2067عن\u2069')
})

test('a line of Chinese breaks between words, not before a comma or after a bracket', () => {
  const text = '你的未来，（Pocket Future）空投已经开始。'
  const words = wordsOf(text, 'zh-Hans')
  assert.equal(words.join(''), text)
  assert.ok(words.length >= 6, words.join('|'))
  assert.ok(words.every((word) => !/^[，。）]|（$/.test(word)))
  assert.ok(words.includes('Future）') && words.at(-1)?.endsWith('。'), words.join('|'))
  assert.deepEqual(wordsOf('One token,  one dollar.', 'en'), ['One ', 'token,  ', 'one ', 'dollar.'])
})
