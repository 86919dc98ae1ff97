import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaign } from '#contract/campaign.ts'
import type { Campaign } from '#contract/campaign.ts'
import { type Phase, phaseOf } from '#contract/phase.ts'
import { call } from '#web/features/api/call.ts'
import { followEvents } from '#web/features/events/follow-events.ts'
import { CAMPAIGN } from '../campaign-data.ts'

type CampaignNow = Campaign & { phase: Phase }

export const CAMPAIGN_QUERY = ['campaign']

/** Polling interval for the slots, for browsers without the event stream. */
const RECOUNT_MS = 30_000

/**
 * The live campaign. The server decides whether it is open; if it is not, the phase comes from its dates and
 * the browser's clock.
 */
export function useCampaign() {
  return useQuery({
    queryKey: CAMPAIGN_QUERY,
    queryFn: async (): Promise<CampaignNow> => {
      const { data } = await call(campaign, {})
      return { ...data, phase: data.open ? 'open' : phaseOf(data, Date.now()) }
    },
    refetchInterval: RECOUNT_MS,
  })
}

/** From the dates embedded in the page until the server replies, to avoid a layout shift. */
const AT_FIRST = { ...CAMPAIGN.airdrop, phase: phaseOf(CAMPAIGN.airdrop, Date.now()) }

/** The campaign's phase and dates. */
export function usePhase(): Pick<CampaignNow, 'phase' | 'opensAt' | 'closesAt'> {
  return useCampaign().data ?? AT_FIRST
}

/** Updates the slots from the event stream. */
export function useSlotNews(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      followEvents('slots', (slots) => {
        if (slots) queries.setQueryData<CampaignNow>(CAMPAIGN_QUERY, (known) => known && { ...known, slots })
      }),
    [queries],
  )
}
