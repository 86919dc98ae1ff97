/** The part that we use of a package that has no types of its own. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2'
      /** One value, or what stays of the axis. */
      variationAxes: Record<string, number | { min: number; max: number; default?: number }>
      keepFeatures?: string[]
      /** Entries of the name table that stay: 0 copyright, 13 and 14 licence. */
      preserveNameIds?: number[]
    },
  ): Promise<Buffer>
}
