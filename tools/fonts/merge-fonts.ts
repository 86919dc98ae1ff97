import opentype, { type Font, type Glyph } from 'opentype.js'
import { tablesOf } from './tables.ts'

/**
 * Merges static fonts of one family. The npm package cuts Noto Sans SC into files of some 200 characters,
 * each of which would need a request.
 * @param fonts uncompressed, with the same metrics; no two have the same character
 * @returns an uncompressed font with a glyph for each character and the glyph for missing characters
 */
export function mergeFonts(fonts: readonly Buffer[]): Buffer {
  const parsed = fonts.map((font) => opentype.parse(new Uint8Array(font).buffer))
  const [file, first] = [fonts[0], parsed[0]]
  if (!file || !first) throw new Error('There is no font to merge')
  const { unitsPerEm, ascender, descender } = first
  const { fontFamily, copyright, licenseURL } = first.names.windows
  const characters = parsed.flatMap(glyphsOf).filter(({ unicode }) => unicode !== undefined)
  const merged = new opentype.Font({
    familyName: fontFamily.en,
    styleName: 'Regular',
    copyright: copyright.en,
    licenseURL: licenseURL.en,
    unitsPerEm,
    ascender,
    descender,
    glyphs: [first.glyphs.get(0), ...characters].map(named),
  })
  const bytes = Buffer.from(merged.toArrayBuffer())
  datesOf(bytes).set(datesOf(file))
  return bytes
}

/** The bytes of a font's two dates. The merged font gets the package's, so that builds are reproducible. */
function datesOf(font: Buffer): Buffer {
  const head = tablesOf(font).get('head')
  if (!head) throw new Error('A font has no table "head"')
  return head.subarray(20, 36)
}

function glyphsOf({ glyphs }: Font): Glyph[] {
  return Array.from({ length: glyphs.length }, (_, index) => glyphs.get(index))
}

/** Gives a glyph a name: subsets have none, and the format of the merged font requires them. */
function named(glyph: Glyph): Glyph {
  glyph.name = glyph.unicode === undefined ? '.notdef' : `uni${glyph.unicode.toString(16).toUpperCase()}`
  return glyph
}
