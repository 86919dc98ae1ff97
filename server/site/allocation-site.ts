import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AllocationSummary } from '#contract/allocation.ts'
import type * as Renderer from '#web/site/render.tsx'
import type { SitePage } from '../domain/payouts/pack/protocol.ts'
import { DIST } from './built-assets.ts'

/**
 * The page of an allocation's static site, for `exportSite`. Needs `dist/site` (`npm run build`).
 * @param name of the campaign.
 */
export async function readAllocationSite(name: string, summary: AllocationSummary): Promise<SitePage> {
  const { renderAllocation } = (await import(
    pathToFileURL(path.join(DIST, 'server/render-en.js')).href
  )) as typeof Renderer
  return { html: renderAllocation(name, summary), assets: path.join(DIST, 'allocation') }
}
