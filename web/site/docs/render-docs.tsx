import DOCS from 'virtual:docs'
import { DOCS_PATH } from '#web/docs-path.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import { PageDocument } from '../page-document.tsx'
import type { SiteContext } from '../site-context.ts'
import { toHtml } from '../to-html.ts'
import { DocsArticle, DocsNotFound } from './docs-article.tsx'
import { DocsHome } from './docs-home.tsx'
import { DOCS_WORDS } from './words.ts'

/** The paths of all pages, beginning with the start page. */
export const docsPaths: readonly string[] = [DOCS_PATH, ...DOCS.pages.map(({ path }) => path)]

export const docsPictures = DOCS.pictures

/** For an unknown path, renders a page that says so. @param script the URL of the script that pages load */
export function renderDocs(path: string, context: SiteContext, script: string): string {
  const { campaign, cards } = context
  const page = DOCS.pages.find((candidate) => candidate.path === path)
  const isStart = path === DOCS_PATH
  const isFound = isStart || page !== undefined
  const start = { title: DOCS.title, description: DOCS.lead }
  const { title, description } = page ?? (isStart ? start : DOCS_WORDS.notFound)
  const fullTitle = [...(isStart ? [] : [title]), DOCS.title, campaign.token.name].join(' · ')
  const card = cards[ROUTES.home.id]
  return toHtml(
    <PageDocument
      context={context}
      title={fullTitle}
      description={description}
      {...(isFound ? { id: path as Route['id'] } : {})}
      isIndexed={isFound}
      isTranslated={false}
      preview={card && { title: fullTitle, card }}
      script={script}
      current={DOCS_PATH}
      path={null}
      parts={['docs']}
    >
      {page && <DocsArticle docs={DOCS} page={page} />}
      {isStart && <DocsHome docs={DOCS} campaign={campaign} />}
      {!isFound && <DocsNotFound docs={DOCS} />}
    </PageDocument>,
  )
}
