import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaign } from '#contract/campaign.ts'
import type { Campaign } from '#contract/campaign.ts'
import { call } from '#web/features/api/call.ts'
import { followEvents } from '#web/features/events/follow-events.ts'

export const CAMPAIGN_NOW = 'campaign'

/** How often the slots are counted again while somebody looks, in milliseconds: where no stream tells them. */
const RECOUNT_MS = 30_000

/** The campaign as it is now. */
export function useCampaign() {
  return useQuery({
    queryKey: [CAMPAIGN_NOW],
    queryFn: async () => (await call(campaign, {})).data,
    refetchInterval: RECOUNT_MS,
  })
}

/** Counts the slots anew as soon as one is taken or comes free. */
export function useSlotNews(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      followEvents('slots', (slots) => {
        if (slots) queries.setQueryData<Campaign>([CAMPAIGN_NOW], (known) => known && { ...known, slots })
      }),
    [queries],
  )
}
