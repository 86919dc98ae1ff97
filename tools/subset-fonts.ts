import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/**
 * Generates the font files of web/styles/fonts.css in `.cache/fonts`: subsets with the characters of each face's
 * `unicode-range` and the axes and features that the styles use.
 */
const ROOT = path.resolve(import.meta.dirname, '..')
const STYLES = path.join(ROOT, 'web/styles/fonts.css')
const OUT = path.join(ROOT, '.cache/fonts')

type Family = {
  /** The axis in the package's file names. */
  file: string
  axes: NonNullable<Parameters<typeof subsetFont>[2]['variationAxes']>
  /** The features to keep; by default all. */
  features?: string[]
}

const FAMILIES: Record<string, Family> = {
  // Only used at weight 800. One optical size serves buttons and hero; the axis would double the file.
  'bricolage-grotesque': {
    file: 'opsz',
    axes: { wght: 800, opsz: 48 },
    features: ['ccmp', 'kern', 'locl', 'mark'],
  },
  'instrument-sans': {
    file: 'wght',
    axes: { wght: { min: 400, max: 600 } },
    features: ['ccmp', 'kern', 'locl', 'mark', 'tnum'],
  },
  // Without ligatures, which would join the `0x` of an address.
  'jetbrains-mono': {
    file: 'wght',
    axes: { wght: { min: 400, max: 700 } },
    features: ['ccmp', 'locl', 'mark', 'zero'],
  },
}

/** The entries of the name table that the licenses require in every copy. */
const NAMES = { copyright: 0, license: 13, licenseUrl: 14 }

type Face = { name: string; family: string; script: string; range: string }

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

/** The faces of fonts.css; a file name consists of the family, the script and an optional part. */
function facesOf(styles: string): Face[] {
  const found = styles.matchAll(
    /\.cache\/fonts\/(([a-z-]+?)-(latin-ext|latin)(?:-[a-z]+)?)\.woff2[^}]*?unicode-range:([^;]+);/g,
  )
  return [...found].map(([, name = '', family = '', script = '', range = '']) => ({
    name,
    family,
    script,
    range,
  }))
}

async function makeFile({ name, family, script, range }: Face): Promise<void> {
  const { file, axes, features } = familyOf(family)
  const whole = await readFile(
    path.join(
      ROOT,
      `node_modules/@fontsource-variable/${family}/files/${family}-${script}-${file}-normal.woff2`,
    ),
  )
  const options = {
    targetFormat: 'woff2' as const,
    variationAxes: axes,
    preserveNameIds: Object.values(NAMES),
    ...(features && { keepFeatures: features }),
  }
  const recipe = createHash('sha256')
    .update(whole)
    .update(range)
    .update(JSON.stringify(options))
    .digest('hex')
  const target = path.join(OUT, `${name}.woff2`)
  if ((await readFile(`${target}.recipe`, 'utf8').catch(() => '')) === recipe) return
  await replace(target, await subsetFont(whole, charactersOf(range), options))
  await replace(`${target}.recipe`, recipe)
}

function familyOf(name: string): Family {
  const family = FAMILIES[name]
  if (!family) throw new Error(`tools/subset-fonts.ts knows no family ${name}, which fonts.css names`)
  return family
}

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
