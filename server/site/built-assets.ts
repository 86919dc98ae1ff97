import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { SiteAssets } from '#web/site/site-context.ts'

type ManifestEntry = { file: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, ManifestEntry>

const SITE_ENTRY = 'web/site/client.ts'
const APP_ENTRY = 'web/app/main.tsx'
/** The faces of the first screen; the others wait until a text needs them. */
const PRELOADED = [
  /fonts\/instrument-sans-latin-core\.woff2$/,
  /fonts\/bricolage-grotesque-latin-core\.woff2$/,
]

/** The addresses of what the build made, from Vite's manifest in its client folder. */
export async function builtAssets(client: string): Promise<SiteAssets> {
  const manifest = JSON.parse(await readFile(path.join(client, '.vite/manifest.json'), 'utf8')) as Manifest
  const site = entryOf(manifest, SITE_ENTRY)
  const app = entryOf(manifest, APP_ENTRY)
  const address = (file: string) => `/${file}`
  const stylesOf = (entry: ManifestEntry) => withImports(manifest, [entry]).flatMap(({ css }) => css ?? [])
  return {
    icon: inAddress(await readFile(path.join(client, 'favicon.svg'), 'utf8')),
    siteStyles: stylesOf(site).map(address),
    // The application's sheet comes after the pages', which came in with a chunk that both take: it holds all of it, in its order.
    appStyles: stylesOf(app).toReversed().map(address),
    fonts: PRELOADED.map((face) => address(fileMatching(manifest, face))),
    siteScript: address(site.file),
    appScript: address(app.file),
    appImports: withImports(manifest, [app])
      .filter((entry) => entry !== app)
      .map((entry) => address(entry.file)),
  }
}

/** A small drawing costs less within the page than a request of its own, which shares the line with the first paint. */
function inAddress(svg: string): string {
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

/** The entries and all that they import at once. */
function withImports(manifest: Manifest, entries: readonly ManifestEntry[]): ManifestEntry[] {
  const found = new Set<ManifestEntry>()
  const visit = (entry: ManifestEntry) => {
    if (found.has(entry)) return
    found.add(entry)
    for (const name of entry.imports ?? []) visit(entryOf(manifest, name))
  }
  entries.forEach(visit)
  return [...found]
}
