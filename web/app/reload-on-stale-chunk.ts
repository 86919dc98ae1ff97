/**
 * For a file that cannot be fetched: a newer build has replaced it, and the page is loaded anew.
 * Throws where that would not help: when nobody answers, and when it was just done.
 */
export async function reloadOnStaleChunk(): Promise<void> {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (load?.type === 'reload') throw new Error('The page was loaded anew, and its files are still not there.')
  const { ok } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
  if (!ok) throw new Error('The page cannot be loaded anew.')
  location.reload()
}
