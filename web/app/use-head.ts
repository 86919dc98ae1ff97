import { useEffect } from 'react'
import { routeText } from '#web/routes.ts'
import type { Route } from '#web/routes.ts'
import { CAMPAIGN } from './campaign-data.ts'

/**
 * Sets title, description, robots and canonical URL of a screen. Updates the server-rendered elements in
 * place, because browsers ignore a second title.
 */
export function useHead({ path, title, description, indexed }: Route) {
  useEffect(() => {
    document.title = routeText(title, CAMPAIGN.token)
    meta('description').content = routeText(description, CAMPAIGN.token)
    meta('robots').content = indexed ? 'all' : 'noindex'
    const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]')
    // Only the server knows the public origin, so the existing one is kept.
    if (canonical) canonical.href = new URL(path, canonical.href).href
  }, [path, title, description, indexed])
}

function meta(name: string): HTMLMetaElement {
  const existing = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  if (existing) return existing
  const created = document.createElement('meta')
  created.name = name
  document.head.append(created)
  return created
}
