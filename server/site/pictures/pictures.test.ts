import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import sharp from 'sharp'
import { EXAMPLE_CARD, SITE } from '#server/testing/builders/site.ts'
import campaign from '#server/testing/campaign.ts'
import { LOCALES } from '#contract/locales.ts'
import { DEFAULT_PALETTES, type Theme, THEMES } from '#contract/look.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import { loadFonts } from './fonts.ts'
import { removeIllegible } from './outlines.ts'
import { createPictures, type Drawing } from './pictures.ts'
import { drawCard, textsOf } from './share-card.ts'
import { shareCards } from './share-cards.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'

const CARD: Drawing = { url: '/card.png', card: EXAMPLE_CARD }
/** Drawn much faster than a card, which needs the fonts. */
const ICON = { url: '/icon.png', icon: { size: 64, coverage: 1, onPaper: false } }
const SMALL_ICON = { url: '/small.png', icon: { ...ICON.icon, size: 32 } }

function sizeOf(png: Uint8Array): [number, number] {
  const bytes = Buffer.from(png)
  assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] // in the header of a PNG
}

test('a card is a PNG of 1200 × 630 pixels with its headline, an icon a PNG of its size', async (t) => {
  const wordless = { ...CARD, url: '/wordless.png', card: { ...EXAMPLE_CARD, headline: '' } }
  const pictures = createPictures([CARD, ICON, wordless])
  t.after(() => pictures.close())
  const cardPng = await pictures.get(CARD.url)
  assert.deepEqual(sizeOf(cardPng), [1200, 630])
  assert.deepEqual(sizeOf(await pictures.get(ICON.url)), [64, 64])
  const [withText, without] = [cardPng.length, (await pictures.get(wordless.url)).length]
  assert.ok(withText > without + 2_000, `${withText} bytes with a headline, ${without} without`)
  await assert.rejects(pictures.get('/other.png'), /No picture/)
})

test('the picture that is requested first is drawn first', async (t) => {
  const pictures = createPictures([ICON, SMALL_ICON])
  t.after(() => pictures.close())
  const drawn: string[] = []
  const get = (url: string) => pictures.get(url).then(() => drawn.push(url))
  await Promise.all([get(SMALL_ICON.url), get(ICON.url)])
  assert.deepEqual(drawn, [SMALL_ICON.url, ICON.url])
})

test('icons and cards show a campaign’s logo, mascot and colors', async (t) => {
  const [logo, mascot] = [`/brand/${'a'.repeat(64)}-96x96.webp`, `/brand/${'b'.repeat(64)}-96x96.webp`]
  const solid = (background: string) =>
    sharp({ create: { width: 96, height: 96, channels: 4, background } })
      .png()
      .toBuffer()
  const files = new Map([
    [logo, await solid('#00ff00')],
    [mascot, await solid('#0000ff')],
  ])
  const look = { logo, mascot, colors: { accent: { light: '#c000c0' } } }
  const drawings = [
    { ...CARD, card: { ...EXAMPLE_CARD, look } },
    { ...ICON, look },
  ]
  const pictures = createPictures(drawings, { readPng: async (reference) => files.get(reference) })
  t.after(() => pictures.close())
  const colorsAt = async (url: string, points: [number, number][]) => {
    const { data, info } = await sharp(await pictures.get(url))
      .raw()
      .toBuffer({ resolveWithObject: true })
    return points.map(([x, y]) => {
      const start = (y * info.width + x) * info.channels
      return `#${data.subarray(start, start + 3).toString('hex')}`
    })
  }
  assert.deepEqual(await colorsAt(ICON.url, [[32, 32]]), ['#00ff00'])
  // Points in the logo, the mascot and the line of a pulse at the bottom.
  const points: [number, number][] = [
    [96, 78],
    [965, 340],
    [300, 512],
  ]
  assert.deepEqual(await colorsAt(CARD.url, points), ['#00ff00', '#0000ff', '#c000c0'])
})

/** `start` draws a picture unless it is in the folder, like a start of the program. */
async function pictureFolder(t: TestContext) {
  const folder = path.join(await scratchFolder(t), 'pictures')
  const start = async (drawing: Drawing) => {
    const pictures = createPictures([drawing], { folder })
    await pictures.draw()
    return pictures
  }
  return { folder, start, list: async () => (await readdir(folder)).toSorted() }
}

test('a picture is cached across starts until it changes', async (t) => {
  const { folder, start, list } = await pictureFolder(t)
  await start(ICON)
  const [name = '', ...others] = await list()
  assert.deepEqual(others, [])
  const file = path.join(folder, name)
  await writeFile(file, 'kept')
  const pictures = await start(ICON)
  assert.equal(Buffer.from(await pictures.get(ICON.url)).toString(), 'kept')
  assert.equal(await readFile(file, 'utf8'), 'kept')
  await start({ ...ICON, icon: { ...ICON.icon, onPaper: true } })
  const [changed = '', ...more] = await list()
  assert.match(changed, /\.png$/)
  assert.notEqual(changed, name)
  assert.deepEqual(more, [])
})

test('old drafts, left by a killed process, are removed, and new drafts are not', async (t) => {
  const { folder, start, list } = await pictureFolder(t)
  await mkdir(folder)
  for (const draft of ['old.png.draft', 'new.png.draft']) await writeFile(path.join(folder, draft), '')
  const aDayAgo = Date.now() / 1_000 - 86_400
  await utimes(path.join(folder, 'old.png.draft'), aDayAgo, aDayAgo)
  await start(ICON)
  const drafts = (await list()).filter((name) => name.endsWith('.draft'))
  assert.deepEqual(drafts, ['new.png.draft'])
})

test('pictures are served when the cache cannot be written, and the error is reported', async () => {
  const pictures = createPictures([ICON], { folder: '/dev/null/pictures' })
  await assert.rejects(pictures.draw(), /ENOTDIR/)
  assert.deepEqual(sizeOf(await pictures.get(ICON.url)), [64, 64])
})

test('closing does not wait for unfinished drawings', async () => {
  const cards = Array.from({ length: 40 }, (_, index) => ({ ...CARD, url: `/${index}.png` }))
  const pictures = createPictures([ICON, ...cards])
  const drawing = pictures.draw()
  // The first picture is drawn, the others are not. Closing ends the thread that draws them.
  await pictures.get(ICON.url)
  await pictures.close()
  await assert.rejects(drawing, /ended with code/)
  await assert.rejects(pictures.get('/39.png'), /ended with code/)
})

const ICON_WITH_LOGO = { ...ICON, look: { logo: `/brand/${'a'.repeat(64)}-96x96.webp` } }

test('a picture is drawn at the next request if its logo could not be read', async (t) => {
  let readings = 0
  const pictures = createPictures([ICON_WITH_LOGO], {
    readPng: async () => {
      readings += 1
      if (readings === 1) throw new Error('the database is away')
      return undefined
    },
  })
  t.after(() => pictures.close())
  await assert.rejects(pictures.get(ICON.url), /the database is away/)
  assert.deepEqual(sizeOf(await pictures.get(ICON.url)), [64, 64])
})

test('pictures that are missing because the thread failed are drawn at a request a minute later', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const broken = { url: '/broken.png', icon: null } as unknown as typeof ICON
  const failures: unknown[] = []
  const pictures = createPictures([broken, SMALL_ICON], { onFailure: (error) => failures.push(error) })
  t.after(() => pictures.close())
  await assert.rejects(pictures.draw())
  Object.assign(broken, { icon: ICON.icon })
  t.mock.timers.tick(59_999)
  await assert.rejects(pictures.get(SMALL_ICON.url))
  assert.equal(failures.length, 1, 'nothing was drawn again')
  t.mock.timers.tick(1)
  assert.deepEqual(sizeOf(await pictures.get(SMALL_ICON.url)), [32, 32])
  assert.deepEqual(sizeOf(await pictures.get(broken.url)), [64, 64])
  await pictures.draw()
  assert.equal(failures.length, 1)
})

test('closing rejects a picture whose logo is still being read', async () => {
  const asked = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<undefined>()
  const pictures = createPictures([ICON_WITH_LOGO], {
    readPng: () => {
      asked.resolve()
      return reading.promise
    },
  })
  const waiting = assert.rejects(pictures.get(ICON.url), /closed/)
  await asked.promise
  const closing = pictures.close()
  reading.resolve(undefined)
  await closing
  await waiting
})

/** Of a card, as in share-card.ts. `MEASURE` is the width of the lines of its headline. */
const [WIDTH, MARGIN, MEASURE] = [1200, 72, 690]

/** Each letter is 60 wide at font size 100. The SVG contains the text itself. */
const fakeOutline = (text: string) => ({ width: text.length * 60, svg: `<desc>${text}</desc>` })
function placeOf(svg: string, text: string): { left: number; right: number; scale: number } {
  const placed = [...svg.matchAll(/translate\(([\d.-]+) [\d.]+\) scale\(([\d.]+)\)"[^>]*><desc>([^<]*)</g)]
  const [, left, scale] = placed.find(([, , , words]) => words === text) ?? assert.fail(`no ${text}`)
  const right = Number(left) + fakeOutline(text).width * Number(scale)
  return { left: Number(left), right, scale: Number(scale) }
}

const headlineIn = (svg: string, headline: string) =>
  [...svg.matchAll(/<desc>([^<]+)</g)]
    .map(([, text = '']) => text)
    .filter((text) => headline.includes(text.replace('…', '')))

test('a long headline shrinks and breaks between words', () => {
  const headline = 'The Extraordinarily Long and Winding Name'
  const svg = drawCard({ ...EXAMPLE_CARD, headline }, fakeOutline)
  const lines = headlineIn(svg, headline)
  assert.ok(lines.length > 1)
  assert.equal(lines.join(' '), headline)
  // Font sizes are 28 to 140.
  const places = lines.map((line) => placeOf(svg, line))
  assert.ok(places.every(({ scale, right }) => scale > 0.28 && scale < 1.4 && right <= MARGIN + MEASURE))
})

test('long texts stay inside the picture: a headline is cut after three lines, and a line shrinks', () => {
  const word = 'Unbreakable'.repeat(30)
  for (const [headline, isCut] of [
    ['The Extraordinarily Long and Winding Name '.repeat(9), true],
    [word, false],
  ] as const) {
    const svg = drawCard({ ...EXAMPLE_CARD, headline, brand: [`B${word}`], foot: `F${word}` }, fakeOutline)
    const lines = headlineIn(svg, headline)
    assert.ok(lines.length > 0 && lines.length <= 3, String(lines.length))
    assert.equal(lines.at(-1)?.endsWith('…'), isCut)
    for (const line of [...lines, `F${word}`])
      assert.ok(placeOf(svg, line).right <= MARGIN + MEASURE + 0.1, line)
    assert.ok(placeOf(svg, `B${word}`).right <= WIDTH - MARGIN + 0.1)
  }
})

test('in a right-to-left language, texts begin at the right and the mascot is at the left', () => {
  const leftToRight = drawCard(EXAMPLE_CARD, fakeOutline)
  const rightToLeft = drawCard({ ...EXAMPLE_CARD, locale: 'ar' }, fakeOutline)
  for (const text of ['Facts.', 'almanac.example', 'Brand']) {
    assert.equal(placeOf(leftToRight, text).left, MARGIN)
    assert.ok(Math.abs(placeOf(rightToLeft, text).right - (WIDTH - MARGIN)) < 0.1, text)
  }
  assert.ok(!leftToRight.includes('scale(-1 1)'))
  assert.ok(
    rightToLeft.includes('<g transform="translate(1200 0) scale(-1 1)"><g transform="translate(763 190)'),
  )
  // The stamp with the symbol is at the end of the line.
  const stampOf = (svg: string) => Number(/<rect x="([\d.]+)" y="548"/.exec(svg)?.[1])
  assert.ok(stampOf(leftToRight) > WIDTH / 2 && stampOf(rightToLeft) < WIDTH / 2)
})

test('the fonts have all letters of the texts in all languages', async () => {
  for (const locale of LOCALES) {
    const { drawings } = shareCards(campaignIn(campaign, locale), locale, SITE)
    const texts = drawings.flatMap((drawing) => ('card' in drawing ? textsOf(drawing.card) : []))
    const fontOf = await loadFonts(texts, locale)
    for (const text of texts) assert.equal(removeIllegible(text, locale, fontOf), text.trim(), locale)
  }
})

test('a campaign without colors has the same palettes as the site', async () => {
  const tokens = await readFile(new URL('../../../web/styles/tokens.css', import.meta.url), 'utf8')
  const colorOf = (name: string, theme: Theme) => {
    const oneOrBoth = /light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)|(#[0-9a-f]{6})/
    const match = new RegExp(`--color-${name}: (?:${oneOrBoth.source});`).exec(tokens) ?? assert.fail(name)
    const [, light, dark, inBothThemes] = match
    return inBothThemes ?? (theme === 'light' ? light : dark)
  }
  for (const theme of THEMES)
    for (const [color, value] of Object.entries(DEFAULT_PALETTES[theme])) {
      const token = color.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
      assert.equal(value, colorOf(token, theme), token)
    }
})
