import type { FastifyInstance } from 'fastify'
import { DOCS_PATH } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import { createAnswer, type About, type PublicAnswer } from '../platform/http/public-answers/answer.ts'
import {
  type PublicAnswers,
  sendAnswer,
  type Source,
} from '../platform/http/public-answers/public-answers.ts'

/** Lists the pages for search engines. */
export const DOCS_SITEMAP_PATH = `${DOCS_PATH}/sitemap.xml`

type Parts = {
  publicUrl: string
  publicAnswers: PublicAnswers
  docs: Pick<typeof DocsRenderer, 'docsPaths' | 'docsPictures'>
  /** A source of the HTML of a page, rendered when it is first asked for. */
  pageSource: (path: string, status?: number) => Source
}

/**
 * Serves the documentation at and below `/docs`, in English. There are a hundred pages, which would slow the start
 * down: each is rendered when it is first asked for, and then served from memory.
 */
export function serveDocs(app: FastifyInstance, { publicUrl, publicAnswers, docs, pageSource }: Parts): void {
  const serve = (url: string, source: Source) =>
    app.get(url, (request, reply) => publicAnswers.send(request, reply, source))
  for (const path of docs.docsPaths) serve(path, pageSource(path))
  for (const [path, picture] of Object.entries(docs.docsPictures))
    serve(path, once(picture, { ...FILE, type: 'image/svg+xml' }))
  serve(DOCS_SITEMAP_PATH, once(sitemap(publicUrl, docs.docsPaths), { ...FILE, type: 'application/xml' }))
  // Not from `publicAnswers`, which would remember every unknown address.
  const unknown = pageSource(`${DOCS_PATH}/unknown`, 404)
  app.get(`${DOCS_PATH}/*`, async (request, reply) => sendAnswer(request, reply, await unknown.read()))
}

const FILE: Omit<About, 'type'> = { headers: { 'cache-control': 'no-cache' }, compression: 'best' }

/** Compressed when it is first asked for. */
function once(text: string, about: About): Source {
  let answer: Promise<PublicAnswer> | undefined
  return { current: () => undefined, read: () => (answer ??= createAnswer(text, about)) }
}

function sitemap(publicUrl: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>
`
}
