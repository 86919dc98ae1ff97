import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Locale } from '#contract/locales.ts'
import { DEFAULT_PALETTES, type Look, paletteOf } from '#contract/look.ts'
import { fromRoot } from '#server/platform/root.ts'
import { loadFonts, type FontOf } from './fonts.ts'
import { createOutlines, type OutlineOf, removeIllegible } from './outlines.ts'
import type { Drawn } from './drawing-thread.ts'
import type { Drawing, DrawingJob, Icon } from './pictures.ts'
import { drawCard, type DataUrls, type ShareCard, textsOf } from './share-card.ts'

/**
 * A worker thread. It draws the pictures of each job in turn and posts each when it is ready. A picture takes
 * 30 to 100 ms of one core. An error ends the thread, which also frees the memory that resvg holds.
 */

const favicon = await readFile(fromRoot('web/site/static/favicon.svg'), 'utf8')
await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))

let lastJob: Promise<void> = Promise.resolve()
parentPort?.on('message', ({ job, port }: { job: DrawingJob; port: MessagePort }) => {
  lastJob = lastJob.then(() => draw(job, port))
})

async function draw({ drawings, dataUrls }: DrawingJob, port: MessagePort): Promise<void> {
  const cards = drawings.flatMap((drawing) => ('card' in drawing ? [drawing.card] : []))
  const lettersOf = await loadLetters(cards)
  for (const drawing of drawings)
    port.postMessage({ url: drawing.url, png: toPng(svgOf(drawing, dataUrls, lettersOf)) } satisfies Drawn)
  port.postMessage('done')
}

function svgOf(drawing: Drawing, dataUrls: DataUrls, lettersOf: LettersOf): string {
  if ('icon' in drawing) {
    const { icon, look } = drawing
    return drawIcon(icon, look, dataUrls[look?.logo ?? ''])
  }
  const { card } = drawing
  const { fontOf, outlineOf } = lettersOf(card.locale)
  return drawCard(withLegibleTexts(card, fontOf), outlineOf, dataUrls)
}

/** `coverage` is the logo's share of the width. Without a logo, draws the favicon in the look's colors. */
function drawIcon(
  { size, coverage, onPaper }: Icon,
  look: Look | undefined,
  logoDataUrl: string | undefined,
): string {
  const width = size * coverage
  const start = (size - width) / 2
  const box = `x="${start}" y="${start}" width="${width}" height="${width}"`
  // The favicon has the accent of the dark theme.
  const { accent } = paletteOf(look, 'dark')
  const picture = logoDataUrl
    ? `<image href="${logoDataUrl}" ${box}/>`
    : favicon.replace('<svg ', `<svg ${box} `).replace(DEFAULT_PALETTES.dark.accent, accent)
  const paper = onPaper
    ? `<rect width="${size}" height="${size}" fill="${paletteOf(look, 'light').paper}"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${paper}${picture}</svg>`
}

type Letters = { fontOf: FontOf; outlineOf: OutlineOf }
type LettersOf = (locale: Locale) => Letters

/** The characters of usernames and referral codes, so that the first card's fonts fit any invitation. */
const INVITATION_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.'
/** The fonts of each language, and the characters for which they were loaded. */
const loaded = new Map<Locale, { characters: ReadonlySet<string>; fontOf: FontOf }>()

/**
 * Loads the fonts of a language again only if the loaded ones lack a character. Outlines are kept only for
 * one job, because the outlines of all usernames would fill the memory.
 */
async function loadLetters(cards: readonly ShareCard[]): Promise<LettersOf> {
  const letters = new Map<Locale, Letters>()
  for (const [locale, localeCards] of Map.groupBy(cards, (card) => card.locale)) {
    const fontOf = await loadSubsets(locale, [INVITATION_CHARACTERS, ...localeCards.flatMap(textsOf)])
    letters.set(locale, { fontOf, outlineOf: createOutlines(fontOf, locale) })
  }
  return (locale) => {
    const found = letters.get(locale)
    if (!found) throw new Error(`No letters are loaded for ${locale}.`)
    return found
  }
}

async function loadSubsets(locale: Locale, texts: readonly string[]): Promise<FontOf> {
  const characters = new Set(texts.join(''))
  const cached = loaded.get(locale)
  if (cached && characters.isSubsetOf(cached.characters)) return cached.fontOf
  const fontOf = await loadFonts(texts, locale)
  loaded.set(locale, { characters, fontOf })
  return fontOf
}

/** Removes characters that no font has. The symbol, which is always Latin, replaces an empty headline. */
function withLegibleTexts(card: ShareCard, fontOf: FontOf): ShareCard {
  const legible = (text: string) => removeIllegible(text, card.locale, fontOf)
  return {
    ...card,
    headline: legible(card.headline) || card.symbol,
    text: legible(card.text),
    brand: card.brand.map(legible),
    foot: legible(card.foot),
  }
}

function toPng(svg: string): Uint8Array {
  const image = new Resvg(svg)
  const rendered = image.render()
  const bytes = rendered.asPng()
  // Frees three megabytes of WebAssembly memory without waiting for the garbage collection.
  rendered.free()
  image.free()
  return bytes
}
