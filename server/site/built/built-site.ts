import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { DEFAULT_LOCALE, LOCALES, localizedPath } from '#contract/locales.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import type { RenderDraft } from '#server/domain/settings/render-draft.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import {
  fixedSource,
  type PublicAnswers,
  type Source,
} from '#server/platform/http/public-answers/public-answers.ts'
import { serveAssets } from './asset-files.ts'
import { CLIENT, loadDocsRenderer, loadRenderer, readBuiltAssets, readDocsScript } from './built-assets.ts'
import { serveDocs } from '../docs-pages.ts'
import { campaignSource, staleWhenSlow } from '../live/live-pages.ts'
import { PAGE_OPTIONS, type PageParts, servePages, SPECULATION_RULES_PATH } from '../serve-pages.ts'
import { FILE_OPTIONS, type SiteSettings, unreadContext } from '../site-parts.ts'

/** The only media type that browsers accept for these rules. */
const SPECULATION_RULES_TYPE = 'application/speculationrules+json'

/**
 * Serves the built assets and the pages in every language. Pages are rendered again only after a change.
 * @returns a function that renders a page with settings that are not saved yet.
 */
export async function serveFromBuild(
  app: FastifyInstance,
  settings: SiteSettings,
  parts: PageParts,
): Promise<RenderDraft> {
  // A page opens even while the database does not respond.
  const timely = {
    ...parts,
    readProofs: staleWhenSlow(parts.readProofs),
    readLife: staleWhenSlow(parts.readLife),
  }
  const renderDraft = await servePages(app, settings, timely, async (locale) => ({
    assets: await readBuiltAssets(locale),
    loadRenderer: () => loadRenderer(locale),
  }))
  await serveBuiltDocs(app, settings, parts.publicAnswers)
  const serve = (url: string, source: Source) =>
    app.get(url, (request, reply) => parts.publicAnswers.send(request, reply, source))
  const speculation = { type: SPECULATION_RULES_TYPE, ...FILE_OPTIONS }
  serve(SPECULATION_RULES_PATH, fixedSource(await createAnswer(speculationRules(), speculation)))
  await serveStaticFiles(serve)
  await serveAssets(app, parts.publicAnswers)
  return renderDraft
}

/** The documentation is in English only, and shows nothing that is read from the database. */
async function serveBuiltDocs(app: FastifyInstance, settings: SiteSettings, publicAnswers: PublicAnswers) {
  const assets = await readBuiltAssets(DEFAULT_LOCALE)
  const script = await readDocsScript()
  serveDocs(app, {
    publicUrl: settings.publicUrl,
    publicAnswers,
    loadDocs: loadDocsRenderer,
    pageSource: (docsPath, status = 200) =>
      campaignSource(settings, async () => {
        const { renderDocs } = await loadDocsRenderer()
        const html = renderDocs(docsPath, unreadContext(settings, assets, DEFAULT_LOCALE), script)
        return createAnswer(html, { ...PAGE_OPTIONS, status })
      }),
  })
}

async function serveStaticFiles(serve: (url: string, source: Source) => void) {
  const types = { 'head.js': 'text/javascript; charset=utf-8', 'favicon.svg': 'image/svg+xml' }
  for (const [name, type] of Object.entries(types)) {
    const text = await readFile(path.join(CLIENT, name), 'utf8')
    serve(`/${name}`, fixedSource(await createAnswer(text, { type, ...FILE_OPTIONS })))
  }
}

const LINKS_TO_SAME_PAGE = '[aria-current="page"], [data-here], [href^="#"]'
/**
 * Lets browsers prerender links to other pages and to the documentation: their scripts wait until the page is
 * activated, so prerendering has no side effects. The application's screens have scripts that do not wait.
 */
function speculationRules(): string {
  const pages = SITE_MAP.filter(({ kind }) => kind === 'page')
  const where = {
    and: [
      {
        href_matches: [
          ...LOCALES.flatMap((locale) => pages.map(({ id }) => localizedPath(locale, id))),
          DOCS_PATH,
          `${DOCS_PATH}/*`,
        ].map((pathname) => ({ pathname, search: '' })),
      },
      { not: { selector_matches: LINKS_TO_SAME_PAGE } },
    ],
  }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}
