/** Types of what we use. The package has none. */
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
