import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DOCS_PATH } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import { createAnswer } from '../platform/http/public-answers/answer.ts'
import {
  fixedSource,
  type PublicAnswers,
  sendAnswer,
  type Source,
} from '../platform/http/public-answers/public-answers.ts'
import { FILE_OPTIONS } from './site-parts.ts'

export const DOCS_SITEMAP_PATH = `${DOCS_PATH}/sitemap.xml`

type Renderer = Pick<typeof DocsRenderer, 'docsPaths' | 'docsPictures'>

type Parts = {
  publicUrl: string
  publicAnswers: PublicAnswers
  /** Loads the texts. Called by the first request, which saves memory if nobody reads the documentation. */
  loadDocs: () => Promise<Renderer>
  pageSource: (path: string, status?: number) => Source
}

/** Loads and renders nothing before it is requested, because a hundred pages would slow down the start. */
export function serveDocs(app: FastifyInstance, parts: Parts): void {
  const { publicAnswers, loadDocs, pageSource } = parts
  const notFound = pageSource(`${DOCS_PATH}/unknown`, 404)
  let loading: Promise<ReadonlyMap<string, Source>> | undefined
  const sources = () =>
    (loading ??= loadDocs()
      .then((docs) => sourcesOf(docs, parts))
      .catch((error: unknown) => {
        // The next request tries again. By then, the build may be complete or a developer's mistake fixed.
        loading = undefined
        throw error
      }))
  const send = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const source = (await sources()).get(path)
    // Not by `publicAnswers`, which would keep an answer for every unknown URL in memory.
    if (!source) return sendAnswer(request, reply, await notFound.read())
    return publicAnswers.send(request, reply, source)
  }
  app.get(DOCS_PATH, (request, reply) => send(request, reply, DOCS_PATH))
  app.get<{ Params: { '*': string } }>(`${DOCS_PATH}/*`, (request, reply) =>
    send(request, reply, `${DOCS_PATH}/${request.params['*'].replace(/\/$/, '')}`),
  )
}

async function sourcesOf({ docsPaths, docsPictures }: Renderer, { publicUrl, pageSource }: Parts) {
  const fixed = async (text: string, type: string) =>
    fixedSource(await createAnswer(text, { ...FILE_OPTIONS, type }))
  const sources = new Map<string, Source>(docsPaths.map((path) => [path, pageSource(path)]))
  sources.set(DOCS_SITEMAP_PATH, await fixed(sitemap(publicUrl, docsPaths), 'application/xml'))
  for (const [path, picture] of Object.entries(docsPictures))
    sources.set(path, await fixed(picture, 'image/svg+xml'))
  return sources
}

function sitemap(publicUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>
`
}
