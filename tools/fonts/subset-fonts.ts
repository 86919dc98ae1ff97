import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import { mergeFonts } from './merge-fonts.ts'

/**
 * Generates the font files of web/styles/fonts.css in `.cache/fonts`: subsets with the characters of each
 * face's `unicode-range` and the axes and features that the styles use.
 */

const ROOT = path.resolve(import.meta.dirname, '../..')
const STYLES = path.join(ROOT, 'web/styles/fonts.css')
const OUT = path.join(ROOT, '.cache/fonts')

type Options = Parameters<typeof subsetFont>[2] & { variationAxes: Family['axes'] }
/** A value for each axis. */
type Place = Record<string, number>

type Family = {
  /** The axis in the package's file names. */
  fileAxis: string
  axes: NonNullable<Parameters<typeof subsetFont>[2]['variationAxes']>
  /** The features to keep; by default all. */
  features?: string[]
  /** The place on the axes whose kerning serves everywhere; by default it varies like the outlines. */
  kernedAt?: Place
}

const FAMILIES: Record<string, Family> = {
  // Only used at weight 800. One optical size serves buttons and hero; the axis would double the file.
  'bricolage-grotesque': {
    fileAxis: 'opsz',
    axes: { wght: 800, opsz: 48 },
    features: ['ccmp', 'kern', 'locl', 'mark'],
  },
  'instrument-sans': {
    fileAxis: 'wght',
    axes: { wght: { min: 400, max: 600 } },
    features: ['ccmp', 'kern', 'locl', 'mark', 'tnum'],
    // With varying kerning, the first file would have 18.3 kB instead of 15.0. At weights 400 and 600, a line
    // becomes 0.1 % shorter or longer, and no pair of characters moves by more than 0.034 em: half a pixel in
    // running text.
    kernedAt: { wght: 500 },
  },
  // Without ligatures, which would join the `0x` of an address.
  'jetbrains-mono': {
    fileAxis: 'wght',
    axes: { wght: { min: 400, max: 700 } },
    features: ['ccmp', 'locl', 'mark', 'zero'],
  },
  // Only for the Chinese name of the language.
  'noto-sans-sc': { fileAxis: 'wght', axes: { wght: 500 }, features: [] },
}

/** The entries of the name table that the licenses require in every copy. */
const NAMES = { copyright: 0, license: 13, licenseUrl: 14 }

/** The tables that position glyphs, and the classes of glyphs that they refer to. */
const POSITIONS = ['GDEF', 'GPOS']
/**
 * A font file begins with a header, which says how many tables there are, and an entry for each table: its
 * tag, checksum, start and length, of four bytes each.
 */
const HEADER_BYTES = 12
const TABLE_COUNT_OFFSET = 4
const ENTRY_BYTES = 16

/** A face of fonts.css. `parts` name the package's files to cut: a script, or the numbers of Han subsets. */
type Face = { name: string; family: string; parts: string[]; range: string }

/** Generates missing and outdated files at the start of a build. */
export function subsetFonts(): Plugin {
  return {
    name: 'subset-fonts',
    async buildStart() {
      const styles = await readFile(STYLES, 'utf8')
      await mkdir(OUT, { recursive: true })
      await Promise.all(facesOf(styles).map(makeFile))
    },
  }
}

/** The faces of fonts.css; a file name consists of the family, the package's files and an optional suffix. */
export function facesOf(styles: string): Face[] {
  const matches = styles.matchAll(
    /\.cache\/fonts\/(([a-z-]+?)-(latin-ext|latin|\d+(?:-\d+)*)(?:-[a-z]+)?)\.woff2[^}]*?unicode-range:([^;]+);/g,
  )
  return [...matches].map(([, name = '', family = '', parts = '', range = '']) => ({
    name,
    family,
    parts: /^\d/.test(parts) ? parts.split('-') : [parts],
    range,
  }))
}

async function makeFile({ name, family, parts, range }: Face): Promise<void> {
  const { fileAxis, axes, features, kernedAt } = familyOf(family)
  const folder = path.join(ROOT, `node_modules/@fontsource-variable/${family}/files`)
  const files = await Promise.all(
    parts.map((part) => readFile(path.join(folder, `${family}-${part}-${fileAxis}-normal.woff2`))),
  )
  const options: Options = {
    targetFormat: 'woff2',
    variationAxes: axes,
    preserveNameIds: Object.values(NAMES),
    ...(features && { keepFeatures: features }),
  }
  const recipe = createHash('sha256')
    .update(Buffer.concat(files))
    .update(range)
    .update(JSON.stringify({ ...options, kernedAt }))
    .digest('hex')
  const target = path.join(OUT, `${name}.woff2`)
  if ((await readFile(`${target}.recipe`, 'utf8').catch(() => '')) === recipe) return
  await replace(target, await subsetOf(files, charactersOf(range), options, kernedAt))
  await replace(`${target}.recipe`, recipe)
}

async function subsetOf(
  files: readonly Buffer[],
  text: string,
  options: Options,
  kernedAt?: Place,
): Promise<Buffer> {
  const [file, ...others] = files
  if (!file) throw new Error('A face of fonts.css names no file of its package')
  if (others.length > 0) {
    const parts = files.map((part) => subsetFont(part, text, { ...options, targetFormat: 'truetype' }))
    // The merged font has no axes.
    const { variationAxes: _, ...staticOptions } = options
    return subsetFont(mergeFonts(await Promise.all(parts)), text, staticOptions)
  }
  return subsetFont(kernedAt ? await withKerningAt(kernedAt, file, text, options) : file, text, options)
}

/** The font as a subset whose kerning and mark positions are those of one place on its axes. */
async function withKerningAt(place: Place, font: Buffer, text: string, options: Options): Promise<Buffer> {
  const subset = (variationAxes: Family['axes']) =>
    subsetFont(font, text, { ...options, targetFormat: 'truetype', variationAxes })
  // Both have the same glyphs in the same order, because they keep the same characters and features.
  const [varying, fixed] = await Promise.all([subset(options.variationAxes), subset(place)])
  const positions = [...tablesOf(fixed)].filter(([tag]) => POSITIONS.includes(tag))
  return fontOf(varying, new Map([...tablesOf(varying), ...positions]))
}

/** The tables of an uncompressed font by their tag. */
function tablesOf(font: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: font.readUInt16BE(TABLE_COUNT_OFFSET) }, (_, index) =>
    font.subarray(HEADER_BYTES + index * ENTRY_BYTES, HEADER_BYTES + (index + 1) * ENTRY_BYTES),
  )
  return new Map(
    entries.map((entry) => {
      const start = entry.readUInt32BE(8)
      return [entry.toString('latin1', 0, 4), font.subarray(start, start + entry.readUInt32BE(12))]
    }),
  )
}

/**
 * An uncompressed font of these tables, with the header of another font that has as many tables. Checksums
 * are left out, because the subsetter computes them.
 */
function fontOf(headerSource: Buffer, tables: ReadonlyMap<string, Buffer>): Buffer {
  const directory = Buffer.alloc(HEADER_BYTES + tables.size * ENTRY_BYTES)
  headerSource.copy(directory, 0, 0, HEADER_BYTES)
  if (tables.size !== headerSource.readUInt16BE(TABLE_COUNT_OFFSET))
    throw new Error('A font has no table to replace')
  const parts = [directory]
  let start = directory.length
  for (const [index, [tag, table]] of [...tables].entries()) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES
    directory.write(tag, entry, 'latin1')
    directory.writeUInt32BE(start, entry + 8)
    directory.writeUInt32BE(table.length, entry + 12)
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
    parts.push(padded)
    start += padded.length
  }
  return Buffer.concat(parts)
}

function familyOf(name: string): Family {
  const family = FAMILIES[name]
  if (!family) throw new Error(`tools/fonts/subset-fonts.ts knows no family ${name}, which fonts.css names`)
  return family
}

/** The characters of a `unicode-range`, as one text. */
export function charactersOf(range: string): string {
  return [...range.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)]
    .flatMap(([, from = '', to = from]) => between(parseInt(from, 16), parseInt(to, 16)))
    .join('')
}

function between(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))
}

/** Replaces a file atomically, because builds may run concurrently. */
async function replace(file: string, content: string | Buffer): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, file)
}
