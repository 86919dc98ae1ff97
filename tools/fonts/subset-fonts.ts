import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import { FAMILIES, type Family, type Place } from './faces.ts'
import { mergeFonts } from './merge-fonts.ts'
import { fontOf, tablesOf } from './tables.ts'

/** Generates the fonts of faces.ts and their style sheet in `.cache/fonts`, with only what the styles use. */

const ROOT = path.resolve(import.meta.dirname, '../..')
const OUT = path.join(ROOT, '.cache/fonts')

type Options = Parameters<typeof subsetFont>[2] & { variationAxes: Family['axes'] }

/** The entries of the `name` table that the licenses require in every copy. */
const NAMES = { copyright: 0, license: 13, licenseUrl: 14 }

/** The tables with kerning and mark positions (GPOS), and the glyph classes that it refers to (GDEF). */
const POSITIONS = ['GDEF', 'GPOS']

/** Generates the fonts when a build starts, unless they are from the same code and packages. */
export function subsetFonts(): Plugin {
  return {
    name: 'subset-fonts',
    async buildStart() {
      const recipe = await hashSources()
      const recipeFile = path.join(OUT, 'recipe')
      if ((await readFile(recipeFile, 'utf8').catch(() => '')) === recipe) return
      await mkdir(OUT, { recursive: true })
      const faces = FAMILIES.flatMap((family) =>
        Object.entries(family.ranges).map(([suffix, range]) => ({ family, suffix, range })),
      )
      await Promise.all(faces.map(makeFile))
      await replace(path.join(OUT, 'faces.css'), faces.map(ruleOf).join(''))
      await replace(recipeFile, recipe)
    },
  }
}

/** @param folder the folder of the code */
export async function hashSources(folder = import.meta.dirname): Promise<string> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.test.ts'))
  const code = names.toSorted().map((name) => path.join(folder, name))
  // The lock file pins the packages with the fonts and the tools.
  const sources = await Promise.all(
    [...code, path.join(ROOT, 'package-lock.json')].map((file) => readFile(file)),
  )
  return createHash('sha256').update(Buffer.concat(sources)).update(JSON.stringify(FAMILIES)).digest('hex')
}

/** A file to generate. `suffix`: a script, or the numbers of the package's Chinese files to merge. */
type Face = { family: Family; suffix: string; range: string }

const fileOf = ({ family, suffix }: Face) => `${family.package}-${suffix}.woff2`

function ruleOf(face: Face): string {
  const { name, weight, local = [] } = face.family
  const sources = [...local.map((font) => `local('${font}')`), `url('./${fileOf(face)}') format('woff2')`]
  return `@font-face {
  font-family: '${name}';
  font-weight: ${weight};
  font-display: swap;
  src: ${sources.join(', ')};
  unicode-range: ${face.range.trim()};
}
`
}

async function makeFile(face: Face): Promise<void> {
  const { fileAxis, axes, features, kernedAt, package: name } = face.family
  const folder = path.join(ROOT, `node_modules/@fontsource-variable/${name}/files`)
  const files = await Promise.all(
    partsOf(face.suffix).map((part) =>
      readFile(path.join(folder, `${name}-${part}-${fileAxis}-normal.woff2`)),
    ),
  )
  const options: Options = {
    targetFormat: 'woff2',
    variationAxes: axes,
    preserveNameIds: Object.values(NAMES),
    ...(features && { keepFeatures: features }),
  }
  await replace(
    path.join(OUT, fileOf(face)),
    await subsetOf(files, charactersOf(face.range), options, kernedAt),
  )
}

/** The package's files from which a file is generated, by a part of their names: `latin` for `latin-core`. */
export const partsOf = (suffix: string) =>
  /^\d/.test(suffix) ? suffix.split('-') : [suffix.replace(/-(core|rest)$/, '')]

async function subsetOf(
  files: readonly Buffer[],
  text: string,
  options: Options,
  kernedAt?: Place,
): Promise<Buffer> {
  const [file, ...others] = files
  if (!file) throw new Error('A face names no file of its package')
  if (others.length > 0) {
    const parts = files.map((part) => subsetFont(part, text, { ...options, targetFormat: 'truetype' }))
    // The merged font has no axes.
    const { variationAxes: _, ...staticOptions } = options
    return subsetFont(mergeFonts(await Promise.all(parts)), text, staticOptions)
  }
  return subsetFont(kernedAt ? await withKerningAt(kernedAt, file, text, options) : file, text, options)
}

/** A subset of the font with the kerning and the mark positions of one place on its axes. */
async function withKerningAt(place: Place, font: Buffer, text: string, options: Options): Promise<Buffer> {
  const subset = (variationAxes: Family['axes']) =>
    subsetFont(font, text, { ...options, targetFormat: 'truetype', variationAxes })
  // Both keep the same characters and features, and so have the same glyphs in the same order.
  const [varying, fixed] = await Promise.all([subset(options.variationAxes), subset(place)])
  const positions = [...tablesOf(fixed)].filter(([tag]) => POSITIONS.includes(tag))
  return fontOf(varying, new Map([...tablesOf(varying), ...positions]))
}

/** The characters of a `unicode-range`, as one string. */
function charactersOf(range: string): string {
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
