import { directionOf, type Locale } from '#contract/locales.ts'
import { type Look, type Palette, paletteOf } from '#contract/look.ts'
import type { Weight } from './fonts.ts'
import { DISPLAY_WEIGHT, type Outline, OUTLINE_SIZE, type OutlineOf, wordsOf } from './outlines.ts'

/** The content of a share picture (Open Graph). */
export type ShareCard = {
  locale: Locale
  headline: string
  text: string
  /** Parts of the small line at the top. */
  brand: readonly string[]
  /** The line at the bottom. */
  foot: string
  symbol: string
  /** By default the product's own look. */
  look?: Look | undefined
}

/** All characters that the fonts for a card must have. */
export const textsOf = ({ headline, text, brand, foot, symbol }: ShareCard): string[] => [
  headline,
  text,
  ...brand,
  foot,
  symbol,
  ADDED_CHARACTERS,
]

// Added to the texts when they are drawn.
const ELLIPSIS = '…'
const SEPARATOR = ' · '
const ADDED_CHARACTERS = ELLIPSIS + SEPARATOR

/** Stored pictures as data URLs, by their references in a look. */
export type DataUrls = Readonly<Record<string, string>>

const CARD_SIZE = { width: 1200, height: 630 } as const
const MARGIN = 72
/** The maximum width of a text. The mascot has the rest. */
const MEASURE = 690
const TOP = 124 // of the headline
const HORIZON = 512
/** The lower edge of the text, above the heartbeat in the line of the horizon. */
const TEXT_BOTTOM = 450
const TEXT_SIZE = 32
const MAX_LINES = 3
const GAP = 24

/** Line heights in em. Arabic and Chinese letters need more than Latin letters. */
type Leads = { title: number; text: number }
const LEADS: Partial<Record<Locale, Leads>> = {
  ar: { title: 1.3, text: 1.5 },
  'zh-Hans': { title: 1.16, text: 1.45 },
}
const LATIN_LEADS: Leads = { title: 0.96, text: 1.3 }
const LATIN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u
const leadsOf = (text: string, locale: Locale): Leads =>
  (LATIN.test(text) ? undefined : LEADS[locale]) ?? LATIN_LEADS

/** Draws a share picture as SVG. In right-to-left languages, it is mirrored. */
export function drawCard(card: ShareCard, outlineOf: OutlineOf, dataUrls: DataUrls = {}): string {
  const { locale, brand, foot, symbol, look } = card
  const { width, height } = CARD_SIZE
  const isMirrored = directionOf(locale) === 'rtl'
  const colors = paletteOf(look, 'light')
  const mascot = dataUrls[look?.mascot ?? '']
  const logo = dataUrls[look?.logo ?? '']
  const place: Place = (x, boxWidth) => (isMirrored ? width - x - boxWidth : x)
  const write = ({ text, x, y, size, maxWidth = MEASURE, fill = colors.ink, weight = 500 }: Line) => {
    const outline = outlineOf(text, weight)
    const scale = Math.min(size / OUTLINE_SIZE, maxWidth / outline.width)
    const left = place(x, outline.width * scale)
    return `<g transform="translate(${left.toFixed(1)} ${y.toFixed(1)}) scale(${scale})" fill="${fill}">${outline.svg}</g>`
  }
  const scene = drawScene(colors, mascot !== undefined)
  const brandLine = { text: brand.filter(Boolean).join(SEPARATOR), y: 88, size: 28, fill: colors.inkSoft }
  const brandX = logo ? MARGIN + LOGO.width + 20 : MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="${colors.ink}">
<rect width="${width}" height="${height}" fill="${colors.paper}"/>
${isMirrored ? `<g transform="translate(${width} 0) scale(-1 1)">${scene}</g>` : scene}
${mascot ? mascotImage(mascot, place) : ''}
${logo ? logoImage(logo, place, isMirrored) : ''}
${write({ ...brandLine, x: brandX, maxWidth: width - MARGIN - brandX })}
${layOut(card, outlineOf).map(write).join('\n')}
${write({ text: foot, x: MARGIN, y: 586, size: 30 })}
${stamp(outlineOf(symbol, DISPLAY_WEIGHT), colors, place)}
</svg>`
}

/** Text that shrinks beyond `maxWidth`. `x` counts from the side where lines begin; `y` is the baseline. */
type Line = {
  text: string
  x: number
  y: number
  size: number
  maxWidth?: number
  fill?: string
  weight?: Weight
}
/** The left edge of a box at the distance `x` from the side at which lines begin. */
type Place = (x: number, width: number) => number

/** The horizon with a heartbeat in it, and behind it Pip, unless the campaign has a mascot of its own. */
function drawScene(colors: Palette, hasMascot: boolean): string {
  const { width, height } = CARD_SIZE
  return `${hasMascot ? '' : pip(colors)}
<rect y="${HORIZON}" width="${width}" height="${height - HORIZON}" fill="${colors.sheet}"/>
<path d="M0 ${HORIZON}H640l11-16 11 16h12l15-56 18 71 14-39 9 24H${width}" fill="none" stroke="${colors.accent}" stroke-width="6" stroke-linejoin="round"/>
${hasMascot ? '' : hand(colors)}`
}

/** The headline, as large as the room above the text allows, and the text. */
function layOut({ locale, headline, text }: ShareCard, outlineOf: OutlineOf): Line[] {
  const titleLead = leadsOf(headline, locale).title
  const textLead = leadsOf(text, locale).text
  const widthOf = (part: string) => (outlineOf(part, 500).width * TEXT_SIZE) / OUTLINE_SIZE
  const lines = shorten(balance(wordsOf(text, locale), widthOf))
  const room = TEXT_BOTTOM - TOP - GAP - lines.length * TEXT_SIZE * textLead
  const title = fitHeadline(wordsOf(headline, locale), room, titleLead, outlineOf)
  const textTop = TOP + title.lines.length * title.size * titleLead + GAP
  return [
    // The margin inside the first letter grows with the font size.
    ...stack(title.lines, TOP, { size: title.size, lead: titleLead, x: MARGIN - 4, weight: DISPLAY_WEIGHT }),
    ...stack(lines, textTop, { size: TEXT_SIZE, lead: textLead, x: MARGIN }),
  ]
}

type LineStyle = { size: number; lead: number; x: number; weight?: Weight }

const stack = (lines: readonly string[], top: number, { size, lead, ...style }: LineStyle): Line[] =>
  lines.map((text, index) => ({ ...style, text, size, y: top + index * size * lead + baseline(size, lead) }))

/** The distance from the top of a line to its baseline, which is 0.32 em below the middle. */
const baseline = (size: number, lead: number) => size * (0.32 + lead / 2)

const MAX_TITLE_SIZE = 140
const MIN_TITLE_SIZE = 28

/** The largest size at which a headline fits into the height `room`. At the smallest, it is cut. */
function fitHeadline(
  words: readonly string[],
  room: number,
  lead: number,
  outlineOf: OutlineOf,
): { lines: string[]; size: number } {
  const widthAt = (size: number) => (part: string) =>
    (outlineOf(part, DISPLAY_WEIGHT).width * size) / OUTLINE_SIZE
  for (let size = MAX_TITLE_SIZE; size > MIN_TITLE_SIZE; size -= 2) {
    const lines = wrap(words, MEASURE, widthAt(size))
    const fitsHeight = lines.length <= MAX_LINES && lines.length * size * lead <= room
    if (fitsHeight && lines.every((part) => widthAt(size)(part) <= MEASURE)) return { lines, size }
  }
  return { lines: shorten(wrap(words, MEASURE, widthAt(MIN_TITLE_SIZE))), size: MIN_TITLE_SIZE }
}

/** Breaks into as few lines as possible, of similar length, so that the last line is not a single word. */
function balance(words: readonly string[], widthOf: (part: string) => number): string[] {
  const count = wrap(words, MEASURE, widthOf).length
  let [narrow, wide] = [MEASURE / 2, MEASURE]
  while (wide - narrow > 8) {
    const between = (narrow + wide) / 2
    if (wrap(words, between, widthOf).length > count) narrow = between
    else wide = between
  }
  return wrap(words, wide, widthOf)
}

function wrap(words: readonly string[], measure: number, widthOf: (part: string) => number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf((last + word).trim()) <= measure) lines[lines.length - 1] = last + word
    else lines.push(word)
  }
  return lines.map((line) => line.trim())
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LINES) return [...lines]
  const kept = lines.slice(0, MAX_LINES)
  return [...kept.slice(0, -1), `${kept.at(-1)?.replace(/[\s,.;:，。；：、،؛]+$/, '')}${ELLIPSIS}`]
}

function stamp({ width, svg }: Outline, colors: Palette, place: Place): string {
  const scale = 0.34
  const stampWidth = width * scale + 36
  const x = place(CARD_SIZE.width - MARGIN - stampWidth, stampWidth)
  return `<g transform="rotate(-3 ${x + stampWidth / 2} 575)"><rect x="${x}" y="548" width="${stampWidth}" height="54" rx="6" fill="none" stroke="${colors.accent}" stroke-width="4"/><g transform="translate(${x + 18} 587) scale(${scale})" fill="${colors.ink}">${svg}</g></g>`
}

/** A large version of Pip (web/ui/pip.tsx), looking over the horizon and waving. */
const pip = (
  colors: Palette,
) => `<g transform="translate(763 190) scale(3.7)" fill="none" stroke="${colors.ink}" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round">
<path d="M105 48c7-6 9-14 8-24"/>
<circle cx="60" cy="58" r="48" fill="${colors.accent}"/>
<circle cx="60" cy="58" r="38" stroke-width="1.8" stroke-dasharray="0.1 6"/>
<path d="M46 47v7M74 47v7" stroke-width="7.5"/><path d="M48 67c6 7 18 7 24 0"/></g>`

const hand = (colors: Palette) =>
  `<g transform="translate(838 ${HORIZON - 22})" fill="${colors.accent}" stroke="${colors.ink}" stroke-width="9" stroke-linecap="round"><rect width="76" height="44" rx="21"/><path d="M26 22v16M50 22v16" stroke-width="7"/></g>`

const LOGO = { width: 96, height: 48 } as const

const logoImage = (url: string, place: Place, isMirrored: boolean) =>
  `<image href="${url}" x="${place(MARGIN, LOGO.width)}" y="54" width="${LOGO.width}" height="${LOGO.height}" preserveAspectRatio="${isMirrored ? 'xMaxYMid' : 'xMinYMid'}"/>`

const mascotImage = (url: string, place: Place) =>
  `<image href="${url}" x="${place(800, 330)}" y="${HORIZON - 340}" width="330" height="340" preserveAspectRatio="xMidYMax"/>`
