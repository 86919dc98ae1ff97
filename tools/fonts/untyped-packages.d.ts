/** Types of what we use of packages that have none. */
declare module 'opentype.js' {
  export type Glyph = { name?: string; unicode?: number; advanceWidth: number; path: { commands: object[] } }
  type Name = { en: string }
  export class Font {
    constructor(options: {
      familyName: string
      styleName: string
      copyright: string
      licenseURL: string
      unitsPerEm: number
      ascender: number
      /** Negative. */
      descender: number
      /** The first glyph is shown for missing characters. */
      glyphs: Glyph[]
    })
    unitsPerEm: number
    ascender: number
    descender: number
    names: { windows: { fontFamily: Name; copyright: Name; licenseURL: Name } }
    glyphs: { length: number; get: (index: number) => Glyph }
    toArrayBuffer: () => ArrayBuffer
  }
  /** Reads an uncompressed font. */
  export function parse(font: ArrayBuffer): Font
  const opentype: { Font: typeof Font; parse: typeof parse }
  export default opentype
}

declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2' | 'truetype'
      /** A fixed value, or the range to keep. */
      variationAxes?: Record<string, number | { min: number; max: number; default?: number }>
      keepFeatures?: string[]
      /** Entries of the name table to keep: 0 copyright, 13 and 14 license. */
      preserveNameIds?: number[]
    },
  ): Promise<Buffer>
}
