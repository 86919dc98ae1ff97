import createBidi from 'bidi-js'
import { Buffer, Direction, shape } from 'harfbuzzjs'
import { directionOf, type Locale } from '#contract/locales.ts'
import type { FontSubset, FontOf, Weight } from './fonts.ts'

/** The shapes of a text as SVG without color, at size {@link OUTLINE_SIZE}. Its baseline starts at 0 0. */
export type Outline = { width: number; svg: string }
export type OutlineOf = (text: string, weight: Weight) => Outline

export const OUTLINE_SIZE = 100
/** Letter spacing in em of Latin text in the weight for headlines. */
const TIGHT = -0.025
export const DISPLAY_WEIGHT = 800
const LATIN_LOCALES: readonly Locale[] = ['en', 'es', 'pt-BR', 'tr']

// The types of this package do not describe the build that Node loads.
const bidi = (createBidi as unknown as typeof createBidi.default)()

/**
 * Draws texts as outlines, because resvg can drop letters that its first font lacks (decision 051). The
 * Unicode Bidirectional Algorithm orders right-to-left text, and HarfBuzz joins its letters.
 */
export function createOutlines(fontOf: FontOf, locale: Locale): OutlineOf {
  const known = new Map<string, Outline>()
  const drawOutline: OutlineOf = (text, weight) => {
    const runs = inVisualOrder(runsOf(text, locale, fontOf))
    const spacing = weight === DISPLAY_WEIGHT && LATIN_LOCALES.includes(locale) ? TIGHT * OUTLINE_SIZE : 0
    let x = 0
    let svg = ''
    for (const run of runs) {
      const { upem, isCursive, weights } = run.subset
      const font = weights[weight]
      const scale = OUTLINE_SIZE / upem
      for (const glyph of shapeRun(run, weight, locale)) {
        // Fonts count y upward, SVG downward.
        const path = font.glyphToPath(glyph.codepoint)
        const offset = `${round(x + glyph.xOffset * scale)} ${round(-glyph.yOffset * scale)}`
        if (path) svg += `<path transform="translate(${offset}) scale(${scale} ${-scale})" d="${path}"/>`
        x += glyph.xAdvance * scale + (isCursive || glyph.xAdvance === 0 ? 0 : spacing)
      }
    }
    return { width: x, svg }
  }
  return (text, weight) => {
    const key = `${weight} ${text}`
    const drawn = known.get(key) ?? drawOutline(text, weight)
    known.set(key, drawn)
    return drawn
  }
}

/** Characters without a shape, except joiners, which change the shapes of adjacent letters. */
const INVISIBLE = /^(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}$/u
const JOINER = /^[\u200c\u200d]$/
const LETTER = /[\p{L}\p{M}\p{N}]/u

/** Removes characters that no font has: letters with their whole word, symbols such as emoji on their own. */
export function removeIllegible(text: string, locale: Locale, fontOf: FontOf): string {
  const isKnown = (character: string) =>
    INVISIBLE.test(character) || JOINER.test(character) || fontOf(character) !== undefined
  const words = wordsOf(text, locale).map((word) => {
    const unknown = [...word].filter((character) => !isKnown(character))
    if (unknown.some((character) => LETTER.test(character))) return ''
    return unknown.length === 0 ? word : [...word].filter(isKnown).join('')
  })
  return words.join('').replaceAll(/\s+/g, ' ').trim()
}

/** Consecutive characters with the same font and direction, which at odd levels is right to left. */
type Run = { text: string; level: number; subset: FontSubset }

function runsOf(text: string, locale: Locale, fontOf: FontOf): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text, directionOf(locale))
  const runs: Run[] = []
  let index = 0
  for (const character of text) {
    const level = levels[index] ?? 0
    index += character.length
    if (INVISIBLE.test(character)) continue
    const last = runs.at(-1)
    const subset = fontOf(character) ?? (JOINER.test(character) ? last?.subset : undefined)
    if (!subset) continue
    if (last?.subset === subset && last.level === level) last.text += character
    else runs.push({ text: character, level, subset })
  }
  return runs
}

/** Orders runs from left to right: reverses those at or above each level, the highest first (UAX 9, L2). */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1)
    for (let from = 0; from < ordered.length; from += 1) {
      let end = from
      while ((ordered[end]?.level ?? 0) >= level) end += 1
      ordered.splice(from, end - from, ...ordered.slice(from, end).toReversed())
      from = end
    }
  return ordered
}

function shapeRun({ text, level, subset }: Run, weight: Weight, locale: Locale) {
  const buffer = new Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR)
  buffer.setLanguage(locale)
  shape(subset.weights[weight], buffer)
  const positions = buffer.getGlyphPositions()
  // After shaping, `codepoint` is the number of the glyph in the font.
  return buffer.getGlyphInfos().map(({ codepoint }, index) => ({
    codepoint,
    xAdvance: positions[index]?.xAdvance ?? 0,
    xOffset: positions[index]?.xOffset ?? 0,
    yOffset: positions[index]?.yOffset ?? 0,
  }))
}

const round = (value: number) => Math.round(value * 100) / 100

/** Punctuation that may not begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}，。、；：！？…—·％%,.;:!?]/u
/** Punctuation that may not end a line. */
const OPENING = /[\p{Ps}\p{Pi}]$/u

/**
 * The parts of a text between which a line may break, each with the spaces that follow it. Chinese has no
 * spaces. It breaks between the words of a dictionary, but not before a comma or after an opening bracket.
 */
export function wordsOf(text: string, locale: Locale): string[] {
  if (locale !== 'zh-Hans') return text.split(/(?<=\s)(?=\S)/)
  const parts: string[] = []
  for (const { segment } of new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)) {
    const last = parts.at(-1)
    const isJoined =
      last !== undefined && (/^\s/.test(segment) || CLOSING.test(segment) || OPENING.test(last))
    if (isJoined) parts[parts.length - 1] = last + segment
    else parts.push(segment)
  }
  return parts
}
