import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '#server/platform/database/data-dir.ts'
import { fromRoot } from '#server/platform/root.ts'
import type { Look } from '#contract/look.ts'
import { createDrawingThread } from './drawing-thread.ts'
import type { DataUrls, ShareCard } from './share-card.ts'

export type Icon = {
  /** The width in pixels. */
  size: number
  /** The share of the width that the logo, or without one the mascot Pip, fills. */
  coverage: number
  /** Whether the background is opaque, for systems that mask the icon or show transparency as black. */
  onPaper: boolean
}

export type Drawing = { url: string } & ({ card: ShareCard } | { icon: Icon; look?: Look | undefined })

export type DrawingJob = { drawings: readonly Drawing[]; dataUrls: DataUrls }

/** Reads the PNG of a stored picture by its reference in a look. */
export type ReadPng = (reference: string) => Promise<Uint8Array | undefined>

export type Pictures = {
  /**
   * The picture as PNG. If no drawing has begun, this picture is drawn first. Rejects after a failure. The
   * next call tries again, but after a failure of the drawing itself only once a minute has passed.
   */
  get(url: string): Promise<Uint8Array>
  /**
   * Draws the pictures that are not on disk yet, and resolves when all are ready. Rejects if a picture could
   * not be drawn or saved. An unsaved picture is still served until the process ends.
   */
  draw(): Promise<void>
  close(): Promise<void>
}

type Options = {
  /** Without it, pictures are drawn at every start. */
  folder?: string | undefined
  readPng?: ReadPng | undefined
  /** Called when drawing or saving fails, unless `close` has interrupted it. */
  onFailure?: (error: unknown) => void
}

/** How long to wait after a failure. Otherwise each request would start another expensive thread. */
const RETRY_MS = 60_000

/** Draws pictures once, in a worker thread, and caches them in a folder by content hash. */
export function createPictures(
  drawings: readonly Drawing[],
  { folder, readPng = async () => undefined, onFailure = () => {} }: Options = {},
): Pictures {
  const promises = createPromises(drawings)
  const ready = new Set<string>()
  // Ends as soon as it is idle, because another job follows only after a failure.
  const thread = createDrawingThread(0)
  let isClosed = false
  let hasBegunDrawing = false
  let latestRun: Promise<void> | undefined
  let retryAtMs = Infinity // until a failure

  function draw(firstUrl?: string): Promise<void> {
    if (Date.now() >= retryAtMs) startOver()
    return (latestRun ??= drawMissing(firstUrl).catch((error: unknown) => {
      rejectAll(error) // those not drawn yet
      if (!isClosed) onFailure(error)
      // If reading failed before any drawing, for example without a database, the next call retries at once.
      if (ready.size < drawings.length) retryAtMs = Date.now() + (hasBegunDrawing ? RETRY_MS : 0)
      throw error
    }))
  }

  function startOver() {
    retryAtMs = Infinity
    hasBegunDrawing = false
    latestRun = undefined
    const missing = drawings.filter(({ url }) => !ready.has(url))
    for (const [url, promise] of createPromises(missing)) promises.set(url, promise)
  }

  async function drawMissing(firstUrl?: string): Promise<void> {
    const keys = await keysOf(drawings)
    const missing: Drawing[] = []
    const isFirst = ({ url }: Drawing) => url === firstUrl
    for (const drawing of drawings.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))) {
      if (ready.has(drawing.url)) continue
      const cached = await readCached(folder, keys.get(drawing.url))
      if (cached) keep(drawing.url, cached)
      else missing.push(drawing)
    }
    if (missing.length === 0 || isClosed) return
    const job = await drawingJobOf(missing, readPng)
    if (isClosed) return
    hasBegunDrawing = true
    /** Each resolves to the error if its picture could not be saved. */
    const saving: Promise<unknown>[] = []
    const drawn = thread.draw(job, ({ url, png }) => {
      keep(url, png)
      saving.push(save(folder, keys.get(url), png).catch((error: unknown) => error))
    })
    // Waits until all pictures are saved, even after a failure, because `close` waits only for this run.
    await drawn.finally(() => Promise.all(saving))
    const failure = (await Promise.all(saving)).find((outcome) => outcome instanceof Error)
    if (failure) throw failure
    await removeStale(folder, new Set(keys.values()))
  }

  function keep(url: string, png: Uint8Array) {
    ready.add(url)
    promises.get(url)?.resolve(png)
  }

  function rejectAll(error: unknown) {
    for (const { reject } of promises.values()) reject(error)
  }

  return {
    draw: () => draw(),
    async get(url) {
      draw(url).catch(() => {}) // The picture's own promise rejects.
      const picture = promises.get(url)
      if (!picture) throw new Error(`No picture is drawn for ${url}`)
      return picture.promise
    },
    async close() {
      isClosed = true
      await thread.close()
      await latestRun?.catch(() => {})
      rejectAll(new Error('The pictures are closed.'))
    },
  }
}

function createPromises(drawings: readonly Drawing[]): Map<string, PromiseWithResolvers<Uint8Array>> {
  const promises = new Map(drawings.map(({ url }) => [url, Promise.withResolvers<Uint8Array>()]))
  // `get` reports a failure. Without a call of `get`, the rejection would count as unhandled.
  for (const { promise } of promises.values()) promise.catch(() => {})
  return promises
}

/** The cache key for each URL. It is a hash of the picture's content and of the code that draws it. */
async function keysOf(drawings: readonly Drawing[]): Promise<Map<string, string>> {
  const sources = [
    'server/site/pictures/draw-pictures.ts',
    'server/site/pictures/share-card.ts',
    'server/site/pictures/fonts.ts',
    'server/site/pictures/outlines.ts',
    'contract/look.ts',
    'web/site/static/favicon.svg',
  ]
  const code = await Promise.all(sources.map((file) => readFile(fromRoot(file), 'utf8')))
  return new Map(drawings.map((drawing) => [drawing.url, `${digest([drawing, code])}.png`]))
}

/** Adds the logos and mascots that are part of the drawings. */
export async function drawingJobOf(drawings: readonly Drawing[], readPng: ReadPng): Promise<DrawingJob> {
  const looks = drawings.map((drawing) => ('card' in drawing ? drawing.card.look : drawing.look))
  const references = new Set(looks.flatMap((look) => [look?.logo, look?.mascot]))
  const dataUrls: Record<string, string> = {}
  for (const reference of references) {
    if (!reference) continue
    const png = await readPng(reference)
    if (png) dataUrls[reference] = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
  }
  return { drawings, dataUrls }
}

export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

async function readCached(folder?: string, key?: string): Promise<Uint8Array | undefined> {
  if (folder === undefined || key === undefined) return undefined
  return readFile(path.join(folder, key)).catch(() => undefined)
}

/** Writes atomically, so that a killed process leaves no partial picture. */
async function save(folder: string | undefined, key: string | undefined, png: Uint8Array): Promise<void> {
  if (folder === undefined || key === undefined) return
  await makeFolder(folder)
  const draft = path.join(folder, `${key}.${crypto.randomUUID()}.draft`)
  await writeFile(draft, png)
  await rename(draft, path.join(folder, key))
}

/** No write takes this long, so an older draft belongs to a process that was killed. */
const MAX_DRAFT_AGE_MS = 3_600_000

async function removeStale(folder: string | undefined, current: ReadonlySet<string>): Promise<void> {
  if (folder === undefined) return
  const isStale = async (name: string) =>
    name.endsWith('.draft')
      ? isOldDraft(path.join(folder, name))
      : name.endsWith('.png') && !current.has(name)
  await Promise.all(
    (await readdir(folder)).map(async (name) => {
      if (await isStale(name)) await rm(path.join(folder, name), { force: true })
    }),
  )
}

async function isOldDraft(file: string): Promise<boolean> {
  // Fails if another process has just renamed its draft.
  const written = await stat(file).catch(() => undefined)
  return written !== undefined && Date.now() - written.mtimeMs > MAX_DRAFT_AGE_MS
}
