import '../styles/site.css'
import type { ShardMap } from '#contract/allocation-shards.ts'
import type { AllocationSummary } from '#contract/allocation.ts'
import { createShardLookup } from '#web/features/allocation/read-shard.ts'
import { startCheck } from '#web/features/allocation/start-check.ts'

/** Script of an allocation's static site. A classic script works from any folder of any file server. */

const section = document.querySelector<HTMLElement>('[data-allocation]')
if (section) {
  const { summary = '', shards = '' } = section.dataset
  const findAllotment = createShardLookup(JSON.parse(shards) as ShardMap, fetchJson)
  startCheck(section, JSON.parse(summary) as AllocationSummary, findAllotment)
}

/** @param path relative to the page. */
async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(new URL(path, document.baseURI))
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  return response.json()
}
