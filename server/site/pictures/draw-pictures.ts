import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { escapeHtml } from '#server/platform/html.ts'
import type { Drawing, ToDraw } from './pictures.ts'
import { drawCard, type WidthOf } from './share-card.ts'
import { drawIcon } from '../brand/icon.ts'

/**
 * A worker thread: draws the given pictures one after the other and posts each as soon as it is ready. Each
 * takes about 0.1 s of one core.
 */
const FACES = ['500Medium', '800ExtraBold']

const readPackageFile = (file: string) => readFile(fileURLToPath(import.meta.resolve(file)))

await initWasm(await readPackageFile('@resvg/resvg-wasm/index_bg.wasm'))
const fontBuffers = await Promise.all(
  FACES.map((face) =>
    readPackageFile(`@expo-google-fonts/bricolage-grotesque/${face}/BricolageGrotesque_${face}.ttf`),
  ),
)
const font = { fontBuffers, defaultFontFamily: 'Bricolage Grotesque' }
const favicon = await readFile(new URL('../../../web/site/static/favicon.svg', import.meta.url), 'utf8')

/** Widths at font size 100: fitting a headline tries many sizes, and the width is proportional to the size. */
const widths = new Map<string, number>()

const { drawings, embedded } = workerData as ToDraw
for (const drawing of drawings) parentPort?.postMessage({ url: drawing.url, png: png(drawing) })

function png(drawing: Drawing): Uint8Array {
  const svg =
    'card' in drawing
      ? drawCard(drawing.card, widthOf, embedded)
      : drawIcon(drawing.icon, favicon, { look: drawing.look, logo: embedded[drawing.look?.logo ?? ''] })
  const image = new Resvg(svg, { font })
  try {
    return image.render().asPng()
  } finally {
    image.free()
  }
}

function widthOf(...[text, weight]: Parameters<WidthOf>): number {
  const key = `${weight} ${text}`
  const width = widths.get(key) ?? measure(text, weight)
  widths.set(key, width)
  return width
}

function measure(text: string, weight: number): number {
  const sample = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-size="100" font-weight="${weight}">${escapeHtml(text)}</text></svg>`
  const image = new Resvg(sample, { font })
  try {
    return image.getBBox()?.width ?? 0
  } finally {
    image.free()
  }
}
