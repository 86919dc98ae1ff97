import path from 'node:path'
import type { AllocationSummary } from '#contract/allocation.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import type { SitePage } from '../domain/payouts/pack/types.ts'
import { DIST, loadRenderer } from './built-assets.ts'

/** The static site on which a campaign publishes an allocation. Needs `dist/site` (`npm run build`). */
export async function readAllocationSite(
  campaignName: string,
  summary: AllocationSummary,
): Promise<SitePage> {
  const { renderAllocation } = await loadRenderer(DEFAULT_LOCALE)
  return { html: renderAllocation(campaignName, summary), assets: path.join(DIST, 'allocation') }
}
