import path from 'node:path'
import type { AllocationSummary } from '#contract/allocation.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import type { SitePage } from '../domain/payouts/pack/types.ts'
import { DIST, loadRenderer } from './built-assets.ts'

/** The page of a campaign's static site for an allocation. Needs `dist/site` (`npm run build`). */
export async function readAllocationSite(name: string, summary: AllocationSummary): Promise<SitePage> {
  const { renderAllocation } = await loadRenderer(DEFAULT_LOCALE)
  return { html: renderAllocation(name, summary), assets: path.join(DIST, 'allocation') }
}
