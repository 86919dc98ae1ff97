import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaign, type Campaign } from '#contract/campaign.ts'
import { type Phase, phaseOf } from '#contract/phase.ts'
import { call } from '#web/features/api/call.ts'
import { subscribeToEvents } from '#web/features/events/subscribe-to-events.ts'
import { CAMPAIGN } from '../campaign-data.ts'

type CampaignNow = Campaign & { phase: Phase }

export const CAMPAIGN_QUERY = ['campaign']

/** Polling interval for the slots, for browsers without the event stream. */
const POLL_MS = 30_000

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
    refetchInterval: POLL_MS,
  })
}

/** From the dates embedded in the page until the server replies, to avoid a layout shift. */
const INITIAL = { ...CAMPAIGN.airdrop, phase: phaseOf(CAMPAIGN.airdrop, Date.now()) }

/** The campaign's phase and dates. */
export function usePhase(): Pick<CampaignNow, 'phase' | 'opensAt' | 'closesAt'> {
  return useCampaign().data ?? INITIAL
}

/** Updates the slots from the event stream. */
export function useSlotUpdates(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      subscribeToEvents('slots', (slots) => {
        if (slots) queries.setQueryData<CampaignNow>(CAMPAIGN_QUERY, (old) => old && { ...old, slots })
      }),
    [queries],
  )
}
