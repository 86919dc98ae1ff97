import { descriptionOf } from '../content/site/page-descriptions.ts'
import { NOT_FOUND } from '#messages/pages.js'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { archivePath, ROUTES, routeText, type Route } from '#web/routes.ts'
import type { FoundProof } from '#contract/token-proofs.ts'
import { answerOf, limitsOf, questionOf } from '#web/content/site/proofs.ts'
import type { AllocationSummary } from '#contract/allocation.ts'
import { AllocationDocument } from './allocation-document.tsx'
import { AppShell } from './app-shell.tsx'
import { CheckDocument } from './check/check-document.tsx'
import { HtmlDocument } from './html-document.tsx'
import { LinkedData } from './linked-data.tsx'
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
import type { PagePart, Shared, SiteAssets, SiteContext } from './site-context.ts'
import { SiteLayout } from './site-layout.tsx'
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

/**
 * The HTML of a route, in the language of the build: a whole marketing page, or the application shell.
 * `shared` overrides the link preview.
 */
export function renderRoute(given: Route, context: SiteContext, shared?: Shared): string {
  const route = inThisLanguage(given)
  if (route.kind === 'sandbox')
    return toHtml(<CheckDocument context={{ ...context, proofs: proofsInThisLanguage(context) }} />)
  const { campaign, assets } = context
  const { token } = campaign
  const isScreen = route.kind === 'screen'
  return toHtml(
    <HtmlDocument
      context={context}
      title={routeText(route.title, token)}
      description={routeText(descriptionOf(route), token)}
      id={route.id}
      indexed={route.indexed}
      shared={shared}
      script={isScreen ? assets.appScript : assets.siteScript}
      follow={isScreen ? (route.indexed ? 'chosen' : 'always') : undefined}
      isPrerendered={!isScreen}
      styles={isScreen ? assets.appStyles : [...assets.siteStyles, ...partStylesOf(route, assets)]}
      modules={isScreen ? assets.appImports : []}
      fonts={isScreen ? assets.fonts.slice(0, 1) : assets.fonts}
    >
      {isScreen ? (
        <AppShell campaign={campaign} route={route} />
      ) : (
        <MarketingPage context={context} route={route} />
      )}
      {route.path === ROUTES.home.path && <LinkedData {...context} />}
    </HtmlDocument>,
  )
}

/** The server has the routes in the default language. */
const inThisLanguage = (route: Route): Route => SITE_MAP.find(({ id }) => id === route.id) ?? route

/** The parts whose style sheets a page links. */
const PARTS: Readonly<Record<string, readonly PagePart[]>> = {
  [ROUTES.rules.path]: ['small-print'],
  [ROUTES.privacy.path]: ['small-print'],
  [ROUTES.journal.path]: ['small-print'],
  [ROUTES.apiDocs.path]: ['small-print'],
  [ROUTES.allocation.path]: ['small-print', 'allocation'],
}

const partStylesOf = ({ path }: Route, { partStyles }: SiteAssets): string[] =>
  (PARTS[path] ?? []).map((part) => partStyles[part])

/** The HTML of the page of a campaign that has ended. */
export function renderArchived(context: SiteContext, archived: Archived): string {
  const { campaign, assets } = context
  const { id, name } = archived.record
  return toHtml(
    <HtmlDocument
      context={context}
      title={`${name} · ${campaign.token.name}`}
      description={routeText(descriptionOf(ROUTES.archive), campaign.token)}
      id={`${ROUTES.archive.id}/${id}`}
      indexed={archived.board.pagination.currentPage === 1}
      script={assets.siteScript}
      isPrerendered
      styles={[...assets.siteStyles, assets.partStyles['small-print']]}
      fonts={assets.fonts}
    >
      <SiteLayout campaign={campaign} current={ROUTES.archive.path} path={archivePath(id)}>
        <ArchivedPage campaign={campaign} archived={archived} />
      </SiteLayout>
    </HtmlDocument>,
  )
}

/** The HTML of the 404 page. */
export function renderNotFound(context: SiteContext): string {
  return toHtml(
    <HtmlDocument
      context={context}
      title={`${NOT_FOUND.title} · ${context.campaign.token.name}`}
      description={NOT_FOUND.description}
      indexed={false}
      script={context.assets.siteScript}
      isPrerendered
      styles={context.assets.siteStyles}
      fonts={context.assets.fonts}
    >
      <SiteLayout campaign={context.campaign} current="" path={null}>
        <NotFoundPage />
      </SiteLayout>
    </HtmlDocument>,
  )
}

/** The HTML of the static site of an allocation; the caller replaces `SHARDS_PLACE` in it. */
export function renderAllocation(name: string, summary: AllocationSummary): string {
  return toHtml(<AllocationDocument name={name} summary={summary} />)
}

function MarketingPage({ context, route }: { context: SiteContext; route: Route }) {
  const Page = PAGES[route.path]
  if (!Page) throw new Error(`No page for ${route.path}`)
  return (
    <SiteLayout campaign={context.campaign} current={route.path} path={route.path}>
      <Page {...context} proofs={proofsInThisLanguage(context)} />
    </SiteLayout>
  )
}

/** The server words proofs in the default language, as its API has them. */
const proofsInThisLanguage = ({ proofs, campaign }: SiteContext): FoundProof[] =>
  proofs.map((proof) => ({
    ...proof,
    asked: questionOf(proof.claim, campaign),
    answer: answerOf(proof.found, campaign),
    limits: limitsOf(proof.claim, proof.found),
    history: proof.history.map((change) => ({ ...change, answer: answerOf(change.found, campaign) })),
  }))
