import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AllocationSummary } from '#contract/allocation.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { DOCS_ENTRY } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import type * as Renderer from '#web/site/render.tsx'
import { manifestOf, PAGE_PARTS, type PagePart, type SiteAssets, styleOf } from '#web/site/site-context.ts'
import { fromRoot } from '#server/platform/root.ts'
import type { SitePage } from '#server/domain/payouts/pack/types.ts'

export const DIST = fromRoot('dist/site')
export const CLIENT = path.join(DIST, 'client')

/** Loads the renderer of a language. Fails while a build is replacing it. The next call tries again. */
export const loadRenderer = (locale: Locale) => loadBuilt<typeof Renderer>(`render-${locale}`)

export const loadDocsRenderer = () => loadBuilt<typeof DocsRenderer>('render-docs')

const loadBuilt = <Module>(name: string) =>
  import(pathToFileURL(path.join(DIST, `server/${name}.js`)).href) as Promise<Module>

/** The static site on which a campaign publishes an allocation. Needs `dist/site` (`npm run build`). */
export async function readAllocationSite(
  campaignName: string,
  summary: AllocationSummary,
): Promise<SitePage> {
  const { renderAllocation } = await loadRenderer(DEFAULT_LOCALE)
  return { html: renderAllocation(campaignName, summary), assets: path.join(DIST, 'allocation') }
}

type ManifestEntry = { file: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, ManifestEntry>

// Keys in Vite's manifests. A build with a single style sheet has it as `style.css`.
const CHECK_ENTRY = 'web/check/main.ts'
const CHECK_STYLE = 'style.css'
const SITE_ENTRY = 'web/site/client.ts'
const APP_ENTRY = 'web/app/main.tsx'
/** The fonts that a visitor sees first. Other fonts load when a text needs them. */
const PRELOADED = [
  /fonts\/instrument-sans-latin-core\.woff2$/,
  /fonts\/bricolage-grotesque-latin-core\.woff2$/,
]

export async function readBuiltAssets(locale: Locale): Promise<SiteAssets> {
  const manifest = await readManifest(manifestOf(locale))
  const checkManifest = await readManifest(`.vite/check-${locale}.json`)
  const site = entryOf(manifest, SITE_ENTRY)
  const app = entryOf(manifest, APP_ENTRY)
  const urlOf = (file: string) => `/${file}`
  const stylesOf = (entry: ManifestEntry) => withImports(manifest, entry).flatMap(({ css }) => css ?? [])
  return {
    icon: toDataUrl(await readFile(path.join(CLIENT, 'favicon.svg'), 'utf8')),
    siteStyles: stylesOf(site).map(urlOf),
    partStyles: byPart((part) => urlOf(entryOf(manifest, styleOf(part)).file)),
    // Reversed, so that the application's own sheet comes last and overrides sheets of shared chunks.
    appStyles: stylesOf(app).toReversed().map(urlOf),
    fonts: PRELOADED.map((face) => urlOf(fileMatching(manifest, face))),
    siteScript: urlOf(site.file),
    appScript: urlOf(app.file),
    appImports: withImports(manifest, app)
      .filter((entry) => entry !== app)
      .map((entry) => urlOf(entry.file)),
    checkScript: urlOf(entryOf(checkManifest, CHECK_ENTRY).file),
    checkStyle: urlOf(entryOf(checkManifest, CHECK_STYLE).file),
  }
}

export async function readDocsScript(): Promise<string> {
  const manifest = await readManifest(manifestOf(DEFAULT_LOCALE))
  return `/${entryOf(manifest, DOCS_ENTRY).file}`
}

/** The URL of the style sheet of each part of a page. */
export const byPart = (urlOf: (part: PagePart) => string): SiteAssets['partStyles'] =>
  Object.fromEntries(PAGE_PARTS.map((part) => [part, urlOf(part)])) as Record<PagePart, string>

async function readManifest(name: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(CLIENT, name), 'utf8')) as Manifest
}

/** For an inline icon, because a request for it would compete with the first paint. */
function toDataUrl(svg: string): string {
  const encoded = svg
    .trim()
    .replaceAll('"', "'")
    .replace(/[%#<>]/g, encodeURIComponent)
  return `data:image/svg+xml,${encoded}`
}

function entryOf(manifest: Manifest, name: string): ManifestEntry {
  const entry = manifest[name]
  if (!entry) throw new Error(`The build has no ${name}: run npm run build`)
  return entry
}

function fileMatching(manifest: Manifest, pattern: RegExp): string {
  const key = Object.keys(manifest).find((name) => pattern.test(name))
  if (!key) throw new Error(`The build has no file like ${pattern}: run npm run build`)
  return entryOf(manifest, key).file
}

/** The entry and all its direct and indirect static imports. */
function withImports(manifest: Manifest, start: ManifestEntry): ManifestEntry[] {
  const reached = new Set<ManifestEntry>()
  const visit = (entry: ManifestEntry) => {
    if (reached.has(entry)) return
    reached.add(entry)
    for (const name of entry.imports ?? []) visit(entryOf(manifest, name))
  }
  visit(start)
  return [...reached]
}
