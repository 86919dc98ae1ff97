import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaign, type Campaign } from '#contract/campaign.ts'
import type { Events } from '#contract/events.ts'
import { type Phase, phaseOf, type Stage } from '#contract/phase.ts'
import { useData } from '#web/features/api/use-data.ts'
import { subscribeToEvents } from '#web/features/events/subscribe-to-events.ts'
import { CAMPAIGN } from '../campaign-data.ts'

export const CAMPAIGN_QUERY = ['campaign']

/** How often the campaign is fetched, because not every browser gets the event stream. */
const POLL_MS = 30_000

export const useCampaign = () => useData(campaign, { queryKey: CAMPAIGN_QUERY, refetchInterval: POLL_MS })

const STAGE_BY_PHASE: Record<Phase, Stage> = { before: 'before', open: 'open', after: 'reviewing' }

/** The stage by the dates in the page, shown until the server replies, so that the layout does not shift. */
const INITIAL = {
  ...CAMPAIGN.airdrop,
  stage: STAGE_BY_PHASE[phaseOf(CAMPAIGN.airdrop, Date.now())],
  paused: null,
}

export function useStage(): Pick<Campaign, 'stage' | 'opensAt' | 'closesAt' | 'paused'> {
  return useCampaign().data ?? INITIAL
}

/** Updates the slots from the event stream. Fetches the campaign when its stage may have changed. */
export function useSlotUpdates(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      subscribeToEvents('slots', (event) => {
        // No event: the stream is lost or the event is invalid. Polling continues.
        if (event) void showSlots(queries, event)
      }),
    [queries],
  )
}

async function showSlots(queries: QueryClient, { isPaused, ...slots }: Events['slots']): Promise<void> {
  const known = queries.getQueryData<Campaign>(CAMPAIGN_QUERY)
  if (!known) return
  const wasPaused = known.paused !== null
  const wasFull = known.slots.left === 0
  const hasStageChanged = isPaused !== wasPaused || (slots.left === 0) !== wasFull
  const setSlots = () =>
    queries.setQueryData<Campaign>(CAMPAIGN_QUERY, (current) => current && { ...current, slots })
  if (!hasStageChanged) setSlots()
  // A pending reply may have older slots. It is not canceled, because it may bring a new stage, and because
  // events are more frequent than replies while many participants claim.
  await queries
    .getQueryCache()
    .find({ queryKey: CAMPAIGN_QUERY })
    ?.promise?.catch(() => {})
  if (hasStageChanged) void queries.invalidateQueries({ queryKey: CAMPAIGN_QUERY }, { cancelRefetch: false })
  else setSlots()
}
