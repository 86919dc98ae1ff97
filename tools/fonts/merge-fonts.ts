import opentype, { type Font, type Glyph } from 'opentype.js'
import { tablesOf } from './tables.ts'

/**
 * Merges static fonts of one family: the package cuts Noto Sans SC into files of some 200 characters, and
 * each file is a request.
 * @param fonts uncompressed, with the same metrics and without a common character
 * @returns an uncompressed font with the glyph for missing characters, and one for each character
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

/** When a font was made and changed. The merged one keeps the package's dates: every build makes the same. */
function datesOf(font: Buffer): Buffer {
  const head = tablesOf(font).get('head')
  if (!head) throw new Error('A font has no table "head"')
  return head.subarray(20, 36)
}

function glyphsOf({ glyphs }: Font): Glyph[] {
  return Array.from({ length: glyphs.length }, (_, index) => glyphs.get(index))
}

/** Subsets have no glyph names, which the format of the merged font requires. */
function named(glyph: Glyph): Glyph {
  glyph.name = glyph.unicode === undefined ? '.notdef' : `uni${glyph.unicode.toString(16).toUpperCase()}`
  return glyph
}
