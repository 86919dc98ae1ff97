import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locale } from '#contract/locales.ts'
import { loadFonts } from './fonts.ts'
import { createOutlines, removeIllegible, wordsOf } from './outlines.ts'

const WEIGHT = 500

/** Draws texts that consist of `characters`. `glyphsOf` returns the glyphs from left to right. */
async function drawingIn(locale: Locale, characters: string) {
  const outlineOf = createOutlines(await loadFonts([characters], locale), locale)
  // In the SVG, each glyph is a path with its own translation.
  const glyphsOf = (words: string) =>
    [...outlineOf(words, WEIGHT).svg.matchAll(/translate\(([\d.-]+) [^>]* d="([^"]+)"/g)]
      .map(([, x, shape = '']) => ({ x: Number(x), shape }))
      .toSorted((one, other) => one.x - other.x)
  return {
    glyphsOf,
    shapesOf: (words: string) => glyphsOf(words).map(({ shape }) => shape),
    widthOf: (words: string) => outlineOf(words, WEIGHT).width,
  }
}

test('Arabic letters are joined and run from right to left', async () => {
  const { shapesOf, widthOf } = await drawingIn('ar', 'يدعوك')
  const widthApart = [...'يدعوك'].map((letter) => widthOf(letter)).reduce((sum, width) => sum + width)
  assert.ok(widthOf('يدعوك') < widthApart, 'joined letters are narrower than those that stand alone')
  const shapes = shapesOf('يدعوك')
  // The last letter, at the left, looks as if it stood alone: the letter before it never joins the next.
  assert.deepEqual(shapes.slice(0, 1), shapesOf('ك'))
  const [firstLetterAlone = ''] = shapesOf('ي')
  assert.ok(!shapes.includes(firstLetterAlone), 'the first letter is joined')
})

test('Latin words keep their order within Arabic text, and the brackets around them are mirrored', async () => {
  const { shapesOf } = await drawingIn('ar', 'عن (PF).')
  const [stop, leftBracket, p, f, rightBracket] = shapesOf('عن (PF).')
  const shapeOf = (character: string) => shapesOf(character)[0]
  assert.equal(p, shapeOf('P'))
  assert.equal(f, shapeOf('F'))
  assert.equal(stop, shapeOf('.'))
  // A bracket that is drawn alone is also right-to-left text, and so also mirrored.
  assert.equal(leftBracket, shapeOf(')'))
  assert.equal(rightBracket, shapeOf('('))
})

test('a Turkish i has a dot, even after an f, and ı has none', async () => {
  const { shapesOf } = await drawingIn('tr', 'fiğışİ')
  const shapes = shapesOf('fiğışİ')
  assert.equal(shapes.length, 6, 'f and i are no ligature')
  assert.notDeepEqual(shapesOf('i'), shapesOf('ı'))
  assert.deepEqual(shapes.slice(1, 2), shapesOf('i'))
})

test('a letter that no font has is removed with its word, and an emoji on its own', async () => {
  const text = 'Pocket 한국어 Future🚀 🪙 привет ไทยabc 日本'
  const fontOf = await loadFonts([text], 'en')
  assert.equal(removeIllegible(text, 'en', fontOf), 'Pocket Future привет 日本')
  assert.equal(removeIllegible('한국어 🚀', 'en', fontOf), '')
  const chinese = '空投🚀한국开始'
  assert.equal(removeIllegible(chinese, 'zh-Hans', await loadFonts([chinese], 'zh-Hans')), '空投开始')
})

test('direction isolates and other invisible characters take no room', async () => {
  const marked = '\u2067عن \u2068PF\u2069\u2069\u200f\ufe0f'
  const { glyphsOf } = await drawingIn('ar', marked)
  assert.deepEqual(glyphsOf(marked), glyphsOf('عن PF'))
  const fontOf = await loadFonts(['عن'], 'ar')
  assert.equal(removeIllegible('\u2067عن\u2069', 'ar', fontOf), '\u2067عن\u2069')
})

test('Chinese lines break between words, but not before a comma or after an opening bracket, and English lines at spaces', () => {
  const text = '你的未来，（Pocket Future）空投已经开始。'
  const words = wordsOf(text, 'zh-Hans')
  assert.equal(words.join(''), text)
  assert.ok(words.length >= 6, words.join('|'))
  assert.ok(words.every((word) => !/^[，。）]|（$/.test(word)))
  assert.ok(words.includes('Future）') && words.at(-1)?.endsWith('。'), words.join('|'))
  assert.deepEqual(wordsOf('One token,  one dollar.', 'en'), ['One ', 'token,  ', 'one ', 'dollar.'])
})
