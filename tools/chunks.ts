import path from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>
type Groups = Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>

const WEB = path.resolve(import.meta.dirname, '../web')
const SITE = path.join(WEB, 'site/client.ts')
/** Stays in the site's entry. In the chunk `start`, it would load after, and override, a screen's styles. */
const SITE_STYLES = path.join(WEB, 'styles/site.css')
const ISLANDS = path.join(WEB, 'site/hydrate.ts')
/** The page of an allocation loads it on demand. */
const ALLOCATION = path.join(WEB, 'site/allocation-check.ts')
const APP = path.join(WEB, 'app/main.tsx')
/** Represents all screens with a form. `APP` imports them on demand, which `reachedFrom` does not follow. */
const LOGIN = path.join(WEB, 'app/account/login.tsx')

/** Modules that only screens with a form need. */
const FORMS =
  /contract[\\/]accounts[\\/](accounts|sessions)\.|web[\\/](app[\\/]account[\\/]account-page|features[\\/](forms[\\/].+|challenge[\\/]work)|ui[\\/]forms[\\/](field|password-field))\.tsx?$|messages[\\/][\w-]+[\\/]account\.js$|[\\/]useMutation\.js$|[\\/]mutationObserver\.js$/
/**
 * Modules that only screens with queries need. The index of the query library imports them, so in the graph,
 * every module that imports the library seems to need them.
 */
const QUERIES =
  /@tanstack.+[\\/](queryObserver|useBaseQuery|useQuery|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider)\.js$|web[\\/]features[\\/]api[\\/]use-data\.ts$/
/** Only lists with pages need these. */
const INFINITE_QUERIES = /@tanstack.+[\\/](infiniteQueryObserver|useInfiniteQuery)\.js$/

/**
 * Few large files compress better than many small ones and cost fewer requests. A page loads `start`, then
 * React with `shared` and `islands`; a screen loads `start`, React, `shared`, `application` and its own
 * chunk. No shared module may stay in an entry, because importing from an entry runs it.
 */
export const CHUNKS: Groups = {
  // The imports of a module may belong to another group.
  includeDependenciesRecursively: false,
  groups: [
    { name: 'docs-index', test: /virtual:docs-index/ },
    { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
    { name: chunkOf, debugName: 'by the graph' },
  ],
}

/** The chunk of a module, decided mostly by the entries that import it; null leaves it to the bundler. */
function chunkOf(id: string, graph: Graph): string | null {
  if ([SITE, SITE_STYLES, APP, LOGIN].includes(id) || INFINITE_QUERIES.test(id)) return null
  if (QUERIES.test(id)) return 'queries'
  if (reachedFrom([SITE], graph).has(id)) return 'start'
  const isOfScreens = reachedFrom([APP, LOGIN], graph).has(id)
  if (reachedFrom([ISLANDS], graph).has(id)) return isOfScreens ? 'shared' : 'islands'
  // What an allocation's page shares with screens must not be in `application`: the page would run all of it.
  if (reachedFrom([ALLOCATION], graph).has(id)) return isOfScreens ? 'shared' : null
  if (FORMS.test(id)) return 'forms'
  return isOfScreens ? 'application' : null
}

/** The entries and their transitive static imports. */
function reachedFrom(entries: readonly string[], graph: Graph): Set<string> {
  const reached = new Set(entries)
  // The iteration also visits the items that it adds.
  for (const id of reached)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported)
  return reached
}
