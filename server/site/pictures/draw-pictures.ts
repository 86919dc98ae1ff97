import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Locale } from '#contract/locales.ts'
import { fromRoot } from '#server/platform/root.ts'
import { drawIcon } from '../brand/icon.ts'
import { loadFonts, type SubsetOf } from './fonts.ts'
import { createOutlines, legible, type OutlineOf } from './outlines.ts'
import type { Drawing, DrawingJob } from './pictures.ts'
import { drawCard, type ShareCard, textsOf } from './share-card.ts'

/**
 * A worker thread: draws the given pictures one after the other and posts each as soon as it is ready. Each
 * takes about 0.1 s of one core. Fonts are loaded here and go with the thread.
 */
await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))
const favicon = await readFile(fromRoot('web/site/static/favicon.svg'), 'utf8')

const { drawings, embedded } = workerData as DrawingJob
const type = new Map<Locale, Promise<{ subsetOf: SubsetOf; outlineOf: OutlineOf }>>()
for (const drawing of drawings) parentPort?.postMessage({ url: drawing.url, png: png(await svgOf(drawing)) })

async function svgOf(drawing: Drawing): Promise<string> {
  if ('icon' in drawing) {
    const { icon, look } = drawing
    return drawIcon(icon, favicon, { look, logo: embedded[look?.logo ?? ''] })
  }
  const { card } = drawing
  const { subsetOf, outlineOf } = await typeOf(card.locale)
  return drawCard(withLegibleTexts(card, subsetOf), outlineOf, embedded)
}

/** The letters of all pictures in a language. */
function typeOf(locale: Locale) {
  const loaded = type.get(locale) ?? load(locale)
  type.set(locale, loaded)
  return loaded
}

async function load(locale: Locale) {
  const cards = drawings.flatMap((drawing) => ('card' in drawing ? [drawing.card] : []))
  const texts = cards.filter((card) => card.locale === locale).flatMap(textsOf)
  const subsetOf = await loadFonts(texts, locale)
  return { subsetOf, outlineOf: createOutlines(subsetOf, locale) }
}

/** A headline of which nothing is left is the symbol, which is always Latin. */
function withLegibleTexts(card: ShareCard, subsetOf: SubsetOf): ShareCard {
  const kept = (text: string) => legible(text, card.locale, subsetOf)
  return {
    ...card,
    headline: kept(card.headline) || card.symbol,
    text: kept(card.text),
    brand: card.brand.map(kept),
    foot: kept(card.foot),
  }
}

function png(svg: string): Uint8Array {
  const image = new Resvg(svg)
  try {
    return image.render().asPng()
  } finally {
    image.free()
  }
}
