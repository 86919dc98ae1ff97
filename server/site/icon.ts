import { LIGHT } from '#web/site/materials.ts'

/** An icon: its width in pixels, and the share of it that Pip fills. */
export type Icon = {
  size: number
  fill: number
  /** Opaque background, for systems that mask the icon or show transparency as black. */
  onPaper: boolean
}

/** Draws an icon as SVG from the favicon. */
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
