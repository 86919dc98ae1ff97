import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { answerOf, CACHE_FOREVER, type PublicAnswer } from '#server/platform/http/public-answers/answer.ts'
import { createBoundedCache } from '#server/platform/http/public-answers/bounded-cache.ts'
import type { PublicAnswers, Source } from '#server/platform/http/public-answers/public-answers.ts'
import { CLIENT } from './built-assets.ts'

/** Three times the size of the files of one language. */
const MAX_CACHED_BYTES = 6 * 1024 * 1024

type Cache = ReturnType<typeof createBoundedCache<PublicAnswer>>

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}
const HEADERS = { 'cache-control': CACHE_FOREVER }
/** Files of the page `/check`, which has no origin, so even this site's files are cross-origin to it. */
const CHECK_ASSET = /^check-.+\.(css|js)$/
const HEADERS_OF_CHECK = { ...HEADERS, 'cross-origin-resource-policy': 'cross-origin' }

/**
 * Serves the built files. Their names contain a hash of their content, so browsers may cache them forever.
 * Files in demand stay in memory, in all encodings that the build has written.
 * @param folder contains the files with their compressed forms (`.br`, `.gz`).
 */
export async function serveAssets(
  app: FastifyInstance,
  publicAnswers: PublicAnswers,
  folder = path.join(CLIENT, 'assets'),
): Promise<void> {
  const cache: Cache = createBoundedCache({
    maxEntries: Number.POSITIVE_INFINITY,
    maxWeight: MAX_CACHED_BYTES,
    weigh: ({ bytes }) => bytes,
  })
  const names = (await readdir(folder)).filter((name) => path.extname(name) in TYPES)
  const sources = new Map(names.map((name) => [name, sourceOf(path.join(folder, name), cache)]))
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const source = sources.get(request.params['*'])
    if (!source) return reply.callNotFound()
    try {
      return await publicAnswers.send(request, reply, source)
    } catch (error) {
      // A new build has removed the file while the server runs.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return reply.callNotFound()
      throw error
    }
  })
}

/** Reads a file when it is requested. Simultaneous requests share one read. */
function sourceOf(file: string, cache: Cache): Source {
  let reading: Promise<PublicAnswer> | undefined
  const readAndKeep = async () => {
    try {
      const answer = await readAsset(file)
      cache.set(file, answer)
      return answer
    } finally {
      reading = undefined
    }
  }
  return { current: () => cache.get(file), read: () => (reading ??= readAndKeep()) }
}

async function readAsset(file: string): Promise<PublicAnswer> {
  const [identity, br, gzip] = await Promise.all([
    readFile(file),
    readFile(`${file}.br`).catch(() => undefined),
    readFile(`${file}.gz`).catch(() => undefined),
  ])
  const name = path.basename(file)
  const type = TYPES[path.extname(name)] ?? ''
  const headers = CHECK_ASSET.test(name) ? HEADERS_OF_CHECK : HEADERS
  return answerOf({ identity, ...(br && { br }), ...(gzip && { gzip }) }, { type, headers })
}
