import { LIGHT } from '#web/site/materials.ts'

/** An icon: how many pixels it is wide, and what share of it Pip fills. */
export type Icon = {
  size: number
  fill: number
  /** Paper below, where a system would show black or cuts a shape out. */
  onPaper: boolean
}

/** An icon as SVG, made from the one that browsers show in their tabs. */
export function drawIcon({ size, fill, onPaper }: Icon, favicon: string): string {
  const width = size * fill
  const start = (size - width) / 2
  const placed = favicon.replace(
    '<svg ',
    `<svg x="${start}" y="${start}" width="${width}" height="${width}" `,
  )
  const paper = onPaper ? `<rect width="${size}" height="${size}" fill="${LIGHT.paper}"/>` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${paper}${placed}</svg>`
}
