import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { makeFolder } from '../platform/data-dir.ts'
import type { Icon } from './icon.ts'
import type { ShareCard } from './share-card.ts'

/** A picture to be drawn, and the address it is served at. */
export type Drawing = { url: string } & ({ card: ShareCard } | { icon: Icon })

export type Pictures = {
  /** The picture at an address, as PNG; waits until it is drawn. Rejects when it could not be. */
  get(url: string): Promise<Uint8Array>
  /**
   * Starts drawing what no earlier start has drawn; ends when all are there. Rejects when one could not be
   * drawn, or not be kept: then it is there all the same, until the end of this process.
   */
  draw(): Promise<void>
  close(): Promise<void>
}

/**
 * Pictures that are drawn once, away from the requests, and kept in `folder` by what they were made from.
 * Without a folder they are drawn at every start.
 */
export async function createPictures(drawings: readonly Drawing[], folder?: string): Promise<Pictures> {
  const keys = await keysOf(drawings)
  const found = new Map(drawings.map(({ url }) => [url, Promise.withResolvers<Uint8Array>()]))
  // Whoever asks is told of a failure; that nobody asks is none.
  for (const { promise } of found.values()) promise.catch(() => {})
  let worker: Worker | undefined
  let closed = false
  let drawing: Promise<void> | undefined

  async function drawMissing(): Promise<void> {
    const missing: Drawing[] = []
    for (const wanted of drawings) {
      const kept = await readKept(folder, keys.get(wanted.url))
      if (kept) found.get(wanted.url)?.resolve(kept)
      else missing.push(wanted)
    }
    if (missing.length === 0 || closed) return
    worker = new Worker(new URL('./draw-pictures.ts', import.meta.url), { workerData: missing })
    const saving: Promise<unknown>[] = []
    worker.on('message', ({ url, png }: { url: string; png: Uint8Array }) => {
      found.get(url)?.resolve(png)
      saving.push(keep(folder, keys.get(url), png).catch((error: unknown) => error))
    })
    await ended(worker)
    const failure = (await Promise.all(saving)).find((outcome) => outcome instanceof Error)
    if (failure) throw failure
    await forgetOthers(folder, new Set(keys.values()))
  }

  const draw = () =>
    (drawing ??= drawMissing().catch((error: unknown) => {
      for (const { reject } of found.values()) reject(error)
      throw error
    }))

  return {
    draw,
    async get(url) {
      draw().catch(() => {})
      const picture = found.get(url)
      if (!picture) throw new Error(`No picture is drawn for ${url}`)
      return picture.promise
    },
    async close() {
      closed = true
      await worker?.terminate()
      await drawing?.catch(() => {})
    },
  }
}

/** What a picture is kept under: what it shows, and the code that draws it. */
async function keysOf(drawings: readonly Drawing[]): Promise<Map<string, string>> {
  const sources = [
    'share-card.ts',
    'icon.ts',
    '../../web/site/materials.ts',
    '../../web/site/static/favicon.svg',
  ]
  const code = await Promise.all(
    sources.map((file) => readFile(path.resolve(import.meta.dirname, file), 'utf8')),
  )
  return new Map(drawings.map((drawing) => [drawing.url, `${digest([drawing, code])}.png`]))
}

/** A short name for a value: another value has another one. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`Drawing the pictures ended with code ${code}`)),
    )
  })
}

async function readKept(folder?: string, key?: string): Promise<Uint8Array | undefined> {
  if (folder === undefined || key === undefined) return undefined
  return readFile(path.join(folder, key)).catch(() => undefined)
}

/** Written aside first: a start that is killed leaves no half a picture. */
async function keep(folder: string | undefined, key: string | undefined, png: Uint8Array): Promise<void> {
  if (folder === undefined || key === undefined) return
  await makeFolder(folder)
  const draft = path.join(folder, `${key}.${crypto.randomUUID()}.draft`)
  await writeFile(draft, png)
  await rename(draft, path.join(folder, key))
}

async function forgetOthers(folder: string | undefined, wanted: ReadonlySet<string>): Promise<void> {
  if (folder === undefined) return
  const others = (await readdir(folder)).filter((name) => name.endsWith('.png') && !wanted.has(name))
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })))
}
