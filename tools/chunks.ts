import path from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>
type Groups = Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>

const WEB = path.resolve(import.meta.dirname, '../web')
const SITE = path.join(WEB, 'site/client.ts')
/** Stays with its entry: a screen that takes `start` would load it after its own, and lose what that overrides. */
const SITE_STYLES = path.join(WEB, 'styles/site.css')
const ISLANDS = path.join(WEB, 'site/hydrate.ts')
const APP = path.join(WEB, 'app/main.tsx')
/** A screen stands for all with a form. */
const LOGIN = path.join(WEB, 'app/account/login.tsx')

/** What only screens with a form need. */
const FORMS =
  /contract[\\/](accounts|sessions)\.|web[\\/](app[\\/]account[\\/]account-page|features[\\/](forms[\\/].+|challenge[\\/](work-)?progress)|content[\\/](account|challenge)|ui[\\/](field|password-field))\.tsx?$|[\\/]useMutation\.js$|[\\/]mutationObserver\.js$/
/** What only screens that read need; everybody seems to import it, because the library's index does. */
const QUERIES =
  /@tanstack.+[\\/](queryObserver|infiniteQueryObserver|useBaseQuery|useQuery|useInfiniteQuery|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider)\.js$/

/**
 * Few large files compress better than many small ones and cost fewer requests. A page takes `start`, then
 * React with `shared` and `islands`; a screen takes `start`, React, `shared`, `application` and its own.
 * Nothing that two need may stay in an entry: who imports from one runs it.
 */
export const CHUNKS: Groups = {
  // Only what a group names: its imports may belong to another.
  includeDependenciesRecursively: false,
  groups: [
    { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
    { name: chunkOf, debugName: 'by the graph' },
  ],
}

/** By what imports it and not by its name, so that a new island or screen finds its place. */
function chunkOf(id: string, graph: Graph): string | null {
  if ([SITE, SITE_STYLES, APP, LOGIN].includes(id) || QUERIES.test(id)) return null
  if (reachedFrom([SITE], graph).has(id)) return 'start'
  const ofScreens = reachedFrom([APP, LOGIN], graph).has(id)
  if (reachedFrom([ISLANDS], graph).has(id)) return ofScreens ? 'shared' : 'islands'
  if (FORMS.test(id)) return 'forms'
  return ofScreens ? 'application' : null
}

/** The modules and all that they import at once. */
function reachedFrom(entries: readonly string[], graph: Graph): Set<string> {
  const found = new Set(entries)
  // A set that is added to while it is walked is walked to its end.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
