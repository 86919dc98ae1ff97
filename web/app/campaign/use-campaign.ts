import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaign } from '#contract/campaign.ts'
import type { Campaign } from '#contract/campaign.ts'
import { type Phase, phaseOf } from '#contract/phase.ts'
import { call } from '#web/features/api/call.ts'
import { followEvents } from '#web/features/events/follow-events.ts'
import { CAMPAIGN } from '../campaign-data.ts'

type CampaignNow = Campaign & { phase: Phase }

export const CAMPAIGN_NOW = 'campaign'

/** How often the slots are counted again while somebody looks, in milliseconds: where no stream tells them. */
const RECOUNT_MS = 30_000

/**
 * The campaign as it is now. That it is open is the server's word; why it is not, its dates tell by the reader's clock,
 * asked anew with the slots.
 */
export function useCampaign() {
  return useQuery({
    queryKey: [CAMPAIGN_NOW],
    queryFn: async (): Promise<CampaignNow> => {
      const { data } = await call(campaign, {})
      return { ...data, phase: data.open ? 'open' : phaseOf(data, Date.now()) }
    },
    refetchInterval: RECOUNT_MS,
  })
}

/** What the dates of the page say while the server has not answered yet, so that nothing jumps. */
const AT_FIRST = { ...CAMPAIGN.airdrop, phase: phaseOf(CAMPAIGN.airdrop, Date.now()) }

/** Where the campaign stands, with its dates. */
export function usePhase(): Pick<CampaignNow, 'phase' | 'opensAt' | 'closesAt'> {
  return useCampaign().data ?? AT_FIRST
}

/** Counts the slots anew as soon as one is taken or comes free. */
export function useSlotNews(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      followEvents('slots', (slots) => {
        if (slots) queries.setQueryData<CampaignNow>([CAMPAIGN_NOW], (known) => known && { ...known, slots })
      }),
    [queries],
  )
}
