import { navigate, useLocation } from '#web/features/navigation/location.ts'

/** The campaign whose payout is shown, kept in the address. */
export type ChosenCampaign = {
  /** The query of calls; empty for the current campaign. */
  query: { campaign?: string }
  /** @param id undefined for the current campaign. */
  choose: (id: string | undefined) => void
}

export function useChosenCampaign(): ChosenCampaign {
  const { pathname, search } = useLocation()
  const campaign = new URLSearchParams(search).get('campaign')
  return {
    query: campaign === null ? {} : { campaign },
    choose: (id) =>
      navigate(id === undefined ? pathname : `${pathname}?${String(new URLSearchParams({ campaign: id }))}`),
  }
}
