/**
 * Reloads the page when a newer build has replaced a file. Throws if that would not help: the server is
 * unreachable, or the page has just been reloaded.
 */
export async function reloadOnStaleChunk(): Promise<void> {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (load?.type === 'reload') throw new Error('Reloaded, but a file is still missing.')
  const { ok } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
  if (!ok) throw new Error('The page cannot be reloaded.')
  location.reload()
}
