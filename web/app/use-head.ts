import { useEffect } from 'react'
import { routeText } from '#web/routes.ts'
import type { Route } from '#web/routes.ts'
import { CAMPAIGN } from './campaign-data.ts'

/**
 * Title, description, robots and canonical address of a screen. The server writes those of the first screen
 * into the page; they are changed in place, because a second title beside the first would be ignored.
 */
export function useHead({ path, title, description, indexed }: Route) {
  useEffect(() => {
    document.title = routeText(title, CAMPAIGN.token)
    meta('description').content = routeText(description, CAMPAIGN.token)
    meta('robots').content = indexed ? 'all' : 'noindex'
    const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]')
    // The origin that visitors see is known to the server alone, so it stays as it was written.
    if (canonical) canonical.href = new URL(path, canonical.href).href
  }, [path, title, description, indexed])
}

function meta(name: string): HTMLMetaElement {
  const found = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  if (found) return found
  const made = document.createElement('meta')
  made.name = name
  document.head.append(made)
  return made
}
