/** In pixels, like all lengths of a plot. */
export const WIDTH = 720
export const MARGIN = 24
/** Where the plot begins, below the title and the subtitle. */
export const TOP = 64

/**
 * An image cannot use the page's theme and fonts. This repeats the colors and typefaces of
 * web/styles/tokens.css, with stronger hairlines. Series: `first` has the accent color, `other` is gray.
 */
const STYLE = `
  svg { --paper: #fbf6ec; --ink: #16130f; --soft: #5a534a; --signal: #e8401c; --proof: #0b7a53; --line: rgb(22 19 15 / 0.16) }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #12131c; --ink: #f4eee1; --soft: #b3ada1; --signal: #ff6a45; --proof: #46d39a; --line: rgb(244 238 225 / 0.2) }
  }
  text { font: 13px 'Instrument Sans', system-ui, sans-serif; fill: var(--ink) }
  .title { font: 600 17px 'Bricolage Grotesque', system-ui, sans-serif }
  .figure { font: 12px 'JetBrains Mono', ui-monospace, monospace }
  .strong { font-weight: 600 }
  .soft { fill: var(--soft) }
  .first { fill: var(--signal) }
  .other { fill: var(--soft) }
  .met { fill: var(--proof) }
  .missed { fill: var(--signal) }
  .grid { stroke: var(--line) }
  .axis { stroke: var(--ink) }
  polyline { fill: none; stroke: var(--soft); stroke-width: 2 }
  polyline.first { stroke: var(--signal); stroke-width: 3; fill: none }
`

type Picture = {
  title: string
  /** The scale in words, below the title. */
  subtitle: string
  /** Everything that the picture shows, for people who do not see it. */
  description: readonly string[]
  height: number
  body: readonly string[]
}

/** A picture with its own background, so that it is readable in both themes. */
export function frame({ title, subtitle, description, height, body }: Picture): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(description.join('; '))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect width="${WIDTH}" height="${height}" rx="14" style="fill: var(--paper)"/>`,
    text(MARGIN, 32, title, 'class="title"'),
    text(MARGIN, 51, subtitle, 'class="soft"'),
    ...body,
    '</svg>\n',
  ].join('\n')
}

/** @param y the baseline. @param attributes not escaped */
export const text = (x: number, y: number, content: string, attributes = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escape(content)}</text>`

export const rule = (x1: number, y1: number, x2: number, y2: number, type: 'grid' | 'axis') =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${type}"/>`

export const round = (value: number) => Number(value.toFixed(1))

const escape = (content: string) =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** At most six ticks from zero to at least `max`. Their distance is 1, 2 or 5 times a power of ten. */
export function linearTicks(max: number): number[] {
  if (!(max > 0)) return [0]
  const power = 10 ** Math.floor(Math.log10(max))
  const step = [0.2, 0.5, 1, 2].map((factor) => factor * power).find((size) => max / size <= 5) ?? power
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, index) => round12(index * step))
}

/** Removes the noise of floating-point arithmetic. */
const round12 = (value: number) => Number(value.toPrecision(12))
