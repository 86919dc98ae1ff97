/** Types of what we use. The package has none. */
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
