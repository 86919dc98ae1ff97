import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Blob, Face, Font } from 'harfbuzzjs'
import subsetFont from 'subset-font'
import type { Locale } from '#contract/locales.ts'

/** The weights of plain text and of headlines. */
const WEIGHTS = [500, 800] as const
export type Weight = (typeof WEIGHTS)[number]

type Family = {
  /** The name of the package. The names of the font files begin with it. */
  name: string
  /** The axis in the names of the font files: optical size or weight. The fonts may have other axes, too. */
  axis: 'opsz' | 'wght'
  axesOf: (weight: Weight) => Record<string, number>
  /** The OpenType features to keep. By default all. */
  features?: string[]
  /** Whether letters are joined, so that no space may be added between them. */
  isCursive: boolean
}

const BRICOLAGE: Family = {
  name: 'bricolage-grotesque',
  axis: 'opsz',
  axesOf: (wght) => ({ wght, opsz: wght === 800 ? 48 : 24 }),
  // Without ligatures, like the pages.
  features: ['ccmp', 'kern', 'locl', 'mark'],
  isCursive: false,
}
const ALEXANDRIA: Family = { name: 'alexandria', axis: 'wght', axesOf: (wght) => ({ wght }), isCursive: true }
const NOTO: Family = { name: 'noto-sans-sc', axis: 'wght', axesOf: (wght) => ({ wght }), isCursive: false }

/** For Latin, for Arabic, and for other scripts. The first family that has a character draws it. */
const FAMILIES: readonly Family[] = [BRICOLAGE, ALEXANDRIA, NOTO]
/** Punctuation that is as wide as a letter only in Chinese. */
const WIDE_IN_CHINESE = /[‘’“”…—]/

/** Some characters of a family, at each weight. */
export type FontSubset = {
  isCursive: boolean
  /** Design units per em. */
  upem: number
  weights: Readonly<Record<Weight, Font>>
}

/** The subset that draws a character, or undefined if no font has it. */
export type FontOf = (character: string) => FontSubset | undefined

/** Loads only the characters of the texts: a few dozen kB instead of the ten MB of a Chinese font. */
export async function loadFonts(texts: readonly string[], locale: Locale): Promise<FontOf> {
  const missing = new Set(texts.join(''))
  const subsets = new Map<string, FontSubset>()
  const load = async (family: Family, { file, ranges }: FontFile, pattern = /./su) => {
    const wanted = [...missing].filter((character) => pattern.test(character) && isWithin(ranges, character))
    if (wanted.length === 0) return
    const { subset, characters } = await makeSubset(family, file, wanted.join(''))
    // A file may lack characters that it declares, such as emoji.
    for (const character of characters) if (missing.delete(character)) subsets.set(character, subset)
  }
  if (locale === 'zh-Hans') for (const file of await filesOf(NOTO)) await load(NOTO, file, WIDE_IN_CHINESE)
  for (const family of FAMILIES)
    if (missing.size > 0) for (const file of await filesOf(family)) await load(family, file)
  return (character) => subsets.get(character)
}

type Range = readonly [from: number, to: number]
type FontFile = { file: string; ranges: readonly Range[] }

/** The files of a family, with the ranges of characters that each declares. */
async function filesOf({ name, axis }: Family): Promise<FontFile[]> {
  const declared = JSON.parse(await readFile(fileIn(name, 'unicode.json'), 'utf8')) as Record<string, string>
  return Object.entries(declared).map(([subset, ranges]) => ({
    // Chinese subsets have numbers as names, such as “[4]”.
    file: fileIn(name, `files/${name}-${subset.replaceAll(/[[\]]/g, '')}-${axis}-normal.woff2`),
    ranges: ranges.split(',').map(readRange),
  }))
}

const fileIn = (family: string, file: string) =>
  fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/${file}`))

/** @param range such as `U+4E00` or `U+0-FF` */
function readRange(range: string): Range {
  const [from = '', to = from] = range.replace('U+', '').split('-')
  return [parseInt(from, 16), parseInt(to, 16)]
}

function isWithin(ranges: readonly Range[], character: string): boolean {
  const point = character.codePointAt(0) ?? 0
  return ranges.some(([from, to]) => from <= point && point <= to)
}

/** @returns a subset of a font file, and the wanted characters that it has. */
async function makeSubset({ axesOf, features, isCursive }: Family, file: string, wanted: string) {
  const options = { targetFormat: 'truetype', ...(features && { keepFeatures: features }) } as const
  // First a subset with all weights, so that the file is decompressed only once.
  const variable = await subsetFont(await readFile(file), wanted, options)
  const [plain, display] = await Promise.all(
    WEIGHTS.map(async (weight) => {
      const cutFont = await subsetFont(variable, wanted, { ...options, variationAxes: axesOf(weight) })
      return new Face(new Blob(cutFont))
    }),
  )
  if (!plain || !display) throw new Error(`${file} lacks a weight.`)
  const weights = { 500: new Font(plain), 800: new Font(display) }
  const subset: FontSubset = { isCursive, upem: plain.upem, weights }
  const characters = [...plain.collectUnicodes()].map((point) => String.fromCodePoint(point))
  return { subset, characters }
}
