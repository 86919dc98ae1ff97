import { DEFAULT_PALETTES, type Look, paletteOf } from '#contract/look.ts'

/** An icon: its width in pixels, and the share of it that Pip fills. */
export type Icon = {
  size: number
  fill: number
  /** Opaque background, for systems that mask the icon or show transparency as black. */
  onPaper: boolean
}

/**
 * Draws an icon as SVG: the campaign's logo, or the favicon in its colors.
 * @param logo a data URL.
 */
export function drawIcon(
  { size, fill, onPaper }: Icon,
  favicon: string,
  { look, logo }: { look?: Look | undefined; logo?: string | undefined } = {},
): string {
  const width = size * fill
  const start = (size - width) / 2
  const box = `x="${start}" y="${start}" width="${width}" height="${width}"`
  const { accent } = paletteOf(look, 'dark')
  const placed = logo
    ? `<image href="${logo}" ${box}/>`
    : favicon.replace('<svg ', `<svg ${box} `).replace(DEFAULT_PALETTES.dark.accent, accent)
  const paper = onPaper
    ? `<rect width="${size}" height="${size}" fill="${paletteOf(look, 'light').paper}"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${paper}${placed}</svg>`
}
