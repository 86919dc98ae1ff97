import { useQueryClient } from '@tanstack/react-query'
import {
  freezePayout,
  payout,
  payoutPack,
  reconcilePayout,
  thawPayout,
  type Payout,
} from '#contract/dashboard/payouts.ts'
import { call, type CallArgs } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import { navigate, useLocation, useParam, withQuery } from '#web/features/navigation/location.ts'
import { type Unit, unitsInWords } from '#web/content/units.ts'
import { type StateReply, useStateChange } from '../api/use-change.ts'
import { useDownload } from '../api/use-download.ts'

/** The first part of the keys of all queries about the payout. */
export const PAYOUT_QUERY = ['payout']
const stateKey = (query: CampaignQuery) => [...PAYOUT_QUERY, query, 'state']

export type FrozenAllocation = NonNullable<Payout['frozen']>

/** Base units as whole units, with grouped digits and the symbol. */
export const amountText = (amount: string, unit: Unit) => unitsInWords(BigInt(amount), unit)

/** The query of every call; empty for the current campaign. */
type CampaignQuery = { campaign?: string }

/** The campaign whose payout is shown. Kept in the URL. */
export function useChosenCampaign() {
  const { pathname } = useLocation()
  const campaign = useParam('campaign')
  const query: CampaignQuery = campaign === '' ? {} : { campaign }
  return {
    query,
    /** @param id undefined for the current campaign. */
    choose: (id: string | undefined) => navigate(withQuery(pathname, { campaign: id })),
  }
}

const POLL_MS = 1_000

export function usePayout() {
  const { query } = useChosenCampaign()
  return useData(payout, {
    queryKey: stateKey(query),
    query,
    refetchInterval: ({ state }) => (state.data?.run?.state === 'running' ? POLL_MS : false),
  })
}

function usePayoutChange<Args>(
  send: (args: Args, query: CampaignQuery) => Promise<StateReply<Payout>>,
  onDone?: () => void,
) {
  const { query } = useChosenCampaign()
  return useStateChange({
    queryKey: stateKey(query),
    affects: [PAYOUT_QUERY],
    send: (args: Args) => send(args, query),
    onDone,
  })
}

/** The server refuses if more claims are undecided than the administrator has seen. */
export const useFreeze = (onDone: () => void) =>
  usePayoutChange((undecided: number, query) => call(freezePayout, { query, body: { undecided } }), onDone)

export const useThaw = (onDone: () => void) =>
  usePayoutChange((reason: string, query) => call(thawPayout, { query, body: { reason } }), onDone)

export const useReconcile = () =>
  usePayoutChange((body: CallArgs<typeof reconcilePayout>['body'], query) =>
    call(reconcilePayout, { query, body }),
  )

/** Downloads the pack: files for the tools that pay. The payout's state has the progress of building it. */
export function usePackDownload() {
  const queries = useQueryClient()
  const { query } = useChosenCampaign()
  const { isPending, mutate } = useDownload()
  const refresh = () => void queries.invalidateQueries({ queryKey: stateKey(query) })
  function download() {
    // The run has begun by then, and fetching its state starts the polling that shows the progress.
    setTimeout(refresh, POLL_MS)
    mutate({ endpoint: payoutPack, query }, { onSettled: refresh })
  }
  return { isPending, download }
}
