import { type Look, type Palette, paletteOf } from '#contract/look.ts'
import { escapeHtml } from '#server/platform/html.ts'

/** The texts of a share picture (Open Graph). */
export type ShareCard = {
  headline: string
  text: string
  /** The small lines at the top and below the horizon. */
  brand: string
  foot: string
  symbol: string
  /** Absent: the product's own. */
  look?: Look | undefined
}

/** The width of a text at font size 100; weight 500 is plain, 800 display. */
export type WidthOf = (text: string, weight: 500 | 800) => number

/** A stored picture as a data URL, by what a look calls it. */
export type Embedded = Readonly<Record<string, string>>

export const CARD_SIZE = { width: 1200, height: 630 } as const
const MARGIN = 72
/** Maximum text width; the rest is Pip's. */
const MEASURE = 690
const TOP = 124
const HORIZON = 512
/** Lower edge of the text, above the pulse line. */
const LOWEST = 450
const TEXT_SIZE = 32
const TEXT_LEAD = TEXT_SIZE * 1.3
const TEXT_LINES = 3
const TITLE_LEAD = 0.96
const GAP = 24

/** Draws a share picture as SVG: the texts, the pulse as horizon, and Pip behind it. */
export function drawCard(card: ShareCard, widthOf: WidthOf, embedded: Embedded = {}): string {
  const { headline, text, brand, foot, symbol, look } = card
  const colors = paletteOf(look, 'light')
  const mascot = embedded[look?.mascot ?? '']
  const logo = embedded[look?.logo ?? '']
  const write = (words: string, at: Omit<Line, 'fill'> & { fill?: string }) =>
    line(words, { fill: colors.ink, ...at })
  const lines = shorten(wrap(text, MEASURE, (part) => (widthOf(part, 500) * TEXT_SIZE) / 100))
  const title = fitHeadline(headline, LOWEST - TOP - GAP - lines.length * TEXT_LEAD, widthOf)
  const below = TOP + title.lines.length * title.size * TITLE_LEAD + GAP
  const { width, height } = CARD_SIZE
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Bricolage Grotesque" font-weight="500" fill="${colors.ink}">
<rect width="${width}" height="${height}" fill="${colors.paper}"/>
${mascot ? mascotImage(mascot) : pip(colors)}
<rect y="${HORIZON}" width="${width}" height="${height - HORIZON}" fill="${colors.sheet}"/>
<path d="M0 ${HORIZON}H640l11-16 11 16h12l15-56 18 71 14-39 9 24H${width}" fill="none" stroke="${colors.accent}" stroke-width="6" stroke-linejoin="round"/>
${mascot ? '' : hand(colors)}
${logo ? logoImage(logo) : ''}
${write(brand, { x: logo ? MARGIN + LOGO.width + 20 : MARGIN, y: 88, size: 28, fill: colors.inkSoft })}
${title.lines.map((part, index) => write(part, { x: MARGIN - 4, y: TOP + (index + 0.8) * title.size * TITLE_LEAD, size: title.size, bold: true })).join('\n')}
${lines
  .map((part, index) => write(part, { x: MARGIN, y: below + (index + 0.8) * TEXT_LEAD, size: TEXT_SIZE }))
  .join('\n')}
${write(foot, { x: MARGIN, y: 586, size: 30 })}
${stamp(symbol, widthOf, colors)}
</svg>`
}

type Line = { x: number; y: number; size: number; fill: string; bold?: boolean }

function line(text: string, { x, y, size, fill, bold = false }: Line): string {
  const weight = bold ? ` font-weight="800" letter-spacing="${TIGHT * size}"` : ''
  return `<text x="${x}" y="${y.toFixed(1)}" font-size="${size}" fill="${fill}"${weight}>${escapeHtml(text)}</text>`
}

/** Letter spacing of the display weight, in em. */
const TIGHT = -0.025
const LARGEST = 140
const SMALLEST = 28
const TITLE_LINES = 3

/** The largest font size at which the headline fits into `room` in at most three lines. */
function fitHeadline(headline: string, room: number, widthOf: WidthOf): { lines: string[]; size: number } {
  for (let size = LARGEST; size > SMALLEST; size -= 2) {
    const widthAt = (part: string) => ((widthOf(part, 800) + TIGHT * 100 * part.length) * size) / 100
    const lines = wrap(headline, MEASURE, widthAt)
    const fitsHeight = lines.length <= TITLE_LINES && lines.length * size * TITLE_LEAD <= room
    if (fitsHeight && lines.every((part) => widthAt(part) <= MEASURE)) return { lines, size }
  }
  return { lines: [headline], size: SMALLEST }
}

/** Breaks between words; never within one. */
function wrap(text: string, measure: number, widthOf: (part: string) => number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= measure) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= TEXT_LINES) return [...lines]
  const kept = lines.slice(0, TEXT_LINES)
  return [...kept.slice(0, -1), `${kept.at(-1)?.replace(/[\s,.;:]+$/, '')}…`]
}

/** The symbol as a rubber stamp, right of the foot. */
function stamp(symbol: string, widthOf: WidthOf, colors: Palette): string {
  const size = 34
  const stampWidth = (widthOf(symbol, 800) * size) / 100 + 36
  const x = CARD_SIZE.width - MARGIN - stampWidth
  return `<g transform="rotate(-3 ${x + stampWidth / 2} 575)"><rect x="${x}" y="548" width="${stampWidth}" height="54" rx="6" fill="none" stroke="${colors.accent}" stroke-width="4"/><text x="${x + stampWidth / 2}" y="587" text-anchor="middle" font-size="${size}" font-weight="800" fill="${colors.ink}">${escapeHtml(symbol)}</text></g>`
}

/** Pip of web/ui/pip.tsx, large, looking over the horizon and waving. */
const pip = (
  colors: Palette,
) => `<g transform="translate(763 190) scale(3.7)" fill="none" stroke="${colors.ink}" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round">
<path d="M105 48c7-6 9-14 8-24"/>
<circle cx="60" cy="58" r="48" fill="${colors.accent}"/>
<circle cx="60" cy="58" r="38" stroke-width="1.8" stroke-dasharray="0.1 6"/>
<path d="M46 47v7M74 47v7" stroke-width="7.5"/><path d="M48 67c6 7 18 7 24 0"/></g>`

/** Pip's hand on the horizon. */
const hand = (colors: Palette) =>
  `<g transform="translate(838 ${HORIZON - 22})" fill="${colors.accent}" stroke="${colors.ink}" stroke-width="9" stroke-linecap="round"><rect width="76" height="44" rx="21"/><path d="M26 22v16M50 22v16" stroke-width="7"/></g>`

const LOGO = { width: 96, height: 48 } as const

/** Before the brand's line. */
const logoImage = (url: string) =>
  `<image href="${url}" x="${MARGIN}" y="54" width="${LOGO.width}" height="${LOGO.height}" preserveAspectRatio="xMinYMid"/>`

/** Where Pip would be, standing on the horizon. */
const mascotImage = (url: string) =>
  `<image href="${url}" x="800" y="${HORIZON - 340}" width="330" height="340" preserveAspectRatio="xMidYMax"/>`
