import { descriptionOf } from '#web/content/site/page-descriptions.ts'
import { NOT_FOUND } from '#messages/pages.js'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { archivePath, ROUTES, routeText, type Route } from '#web/routes.ts'
import type { ProofWithReasons } from '#contract/token-proofs.ts'
import { answerOf, limitsOf, questionOf } from '#web/content/site/proofs.ts'
import type { AllocationSummary } from '#contract/allocation.ts'
import { AllocationDocument } from './allocation-document.tsx'
import { AppShell } from './app-shell.tsx'
import { CheckDocument } from './check/check-document.tsx'
import { HtmlDocument } from './html-document.tsx'
import { AboutPage } from './pages/about-page.tsx'
import { AllocationPage } from './pages/allocation-page.tsx'
import { ArchivePage } from './pages/archive-page.tsx'
import { type Archived, ArchivedPage } from './pages/archived-page.tsx'
import { ApiDocsPage } from './pages/api-docs-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { HowToBuyPage } from './pages/how-to-buy-page.tsx'
import { JournalPage } from './pages/journal-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PrivacyPage } from './pages/privacy-page.tsx'
import { RoadmapPage } from './pages/roadmap-page.tsx'
import { RulesPage } from './pages/rules-page.tsx'
import { TokenomicsPage } from './pages/tokenomics-page.tsx'
import { PageDocument } from './page-document.tsx'
import type { PagePart, LinkPreview, SiteContext } from './site-context.ts'
import { toHtml } from './to-html.ts'

const PAGES = {
  [ROUTES.home.path]: HomePage,
  [ROUTES.about.path]: AboutPage,
  [ROUTES.tokenomics.path]: TokenomicsPage,
  [ROUTES.howToBuy.path]: HowToBuyPage,
  [ROUTES.roadmap.path]: RoadmapPage,
  [ROUTES.rules.path]: RulesPage,
  [ROUTES.privacy.path]: PrivacyPage,
  [ROUTES.journal.path]: JournalPage,
  [ROUTES.allocation.path]: AllocationPage,
  [ROUTES.archive.path]: ArchivePage,
  [ROUTES.apiDocs.path]: ApiDocsPage,
}

/** A page, the sandbox (`/check`), or the shell of a screen. `preview` overrides the link preview. */
export function renderRoute(serverRoute: Route, serverContext: SiteContext, preview?: LinkPreview): string {
  const route = inThisLanguage(serverRoute)
  const context = { ...serverContext, proofs: proofsInThisLanguage(serverContext) }
  const { campaign, assets } = context
  if (route.kind === 'sandbox') return toHtml(<CheckDocument context={context} />)
  const head = {
    context,
    title: routeText(route.title, campaign.token),
    description: routeText(descriptionOf(route), campaign.token),
    id: route.id,
    isIndexed: route.isIndexed,
    preview,
  }
  if (route.kind === 'screen')
    return toHtml(
      <HtmlDocument
        {...head}
        script={assets.appScript}
        follow={route.isIndexed ? 'chosen' : 'always'}
        isPrerendered={false}
        styles={assets.appStyles}
        modules={assets.appImports}
        // A screen waits for its script, so only the body's font is preloaded.
        fonts={assets.fonts.slice(0, 1)}
      >
        <AppShell campaign={campaign} route={route} />
      </HtmlDocument>,
    )
  const Page = PAGES[route.path]
  if (!Page) throw new Error(`No page for ${route.path}`)
  return toHtml(
    <PageDocument {...head} current={route.path} path={route.path} parts={STYLED_PARTS[route.path]}>
      <Page {...context} />
    </PageDocument>,
  )
}

/** The route in this build's language; the server's route is in the default language. */
const inThisLanguage = (route: Route): Route => SITE_MAP.find(({ id }) => id === route.id) ?? route

/** The proofs in this build's language; the server's are in the default language, as in the API. */
const proofsInThisLanguage = ({ proofs, campaign }: SiteContext): ProofWithReasons[] =>
  proofs.map((proof) => ({
    ...proof,
    asked: questionOf(proof.claim, campaign),
    answer: answerOf(proof.fullReason, campaign),
    limits: limitsOf(proof.claim, proof.fullReason),
    history: proof.history.map((change) => ({ ...change, answer: answerOf(change.fullReason, campaign) })),
  }))

const STYLED_PARTS: Readonly<Record<string, readonly PagePart[]>> = {
  [ROUTES.rules.path]: ['small-print'],
  [ROUTES.privacy.path]: ['small-print'],
  [ROUTES.journal.path]: ['small-print'],
  [ROUTES.apiDocs.path]: ['small-print'],
  [ROUTES.allocation.path]: ['small-print', 'allocation'],
}

export function renderArchived(context: SiteContext, archived: Archived): string {
  const { campaign } = context
  const { id, name } = archived.record
  return toHtml(
    <PageDocument
      context={context}
      title={`${name} · ${campaign.token.name}`}
      description={routeText(descriptionOf(ROUTES.archive), campaign.token)}
      id={`${ROUTES.archive.id}/${id}`}
      isIndexed={archived.board.pagination.currentPage === 1}
      current={ROUTES.archive.path}
      path={archivePath(id)}
      parts={['small-print']}
    >
      <ArchivedPage campaign={campaign} archived={archived} />
    </PageDocument>,
  )
}

export function renderNotFound(context: SiteContext): string {
  return toHtml(
    <PageDocument
      context={context}
      title={`${NOT_FOUND.title} · ${context.campaign.token.name}`}
      description={NOT_FOUND.description}
      isIndexed={false}
      current=""
      path={null}
    >
      <NotFoundPage />
    </PageDocument>,
  )
}

/** The static site of an allocation. The caller replaces `SHARDS_PLACE` in it. */
export function renderAllocation(campaignName: string, summary: AllocationSummary): string {
  return toHtml(<AllocationDocument name={campaignName} summary={summary} />)
}
