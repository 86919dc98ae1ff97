import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import {
  freezePayout,
  payout,
  payoutPack,
  reconcilePayout,
  thawPayout,
  type Payout,
} from '#contract/dashboard/payouts.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call, type CallArgs } from '#web/features/api/call.ts'
import { type ChosenCampaign, useChosenCampaign } from './use-chosen-campaign.ts'
import { fetchFile, saveAs } from '#web/features/api/save-file.ts'

/** Key prefix of everything about the payout. */
export const PAYOUT_QUERY = ['payout']
const stateKey = (query: ChosenCampaign['query']) => [...PAYOUT_QUERY, query, 'state']

/** Polling interval while a run is in progress, in milliseconds. */
const WATCH_MS = 1_000

/** The state of the payout; watched closely while something runs. */
export function usePayout(enabled: boolean) {
  const { query } = useChosenCampaign()
  return useQuery({
    queryKey: stateKey(query),
    queryFn: async () => (await call(payout, { query })).data,
    enabled,
    refetchInterval: ({ state }) => (state.data?.run?.state === 'running' ? WATCH_MS : false),
  })
}

type Reply = { data: Payout; message: string }

/** A call that replies with the new state. */
function useChange<Args>(
  send: (args: Args, query: ChosenCampaign['query']) => Promise<Reply>,
  onDone?: () => void,
) {
  const queries = useQueryClient()
  const { query } = useChosenCampaign()
  return useMutation({
    mutationFn: (args: Args) => send(args, query),
    onSuccess: ({ data, message }) => {
      queries.setQueryData(stateKey(query), data)
      void queries.invalidateQueries({ queryKey: PAYOUT_QUERY })
      toast.success(message)
      onDone?.()
    },
    onError: (error) => {
      void queries.invalidateQueries({ queryKey: PAYOUT_QUERY })
      toast.error(messageOf(error, DASHBOARD_WORDS.notDone))
    },
  })
}

export const useFreeze = (onDone: () => void) =>
  useChange((undecided: number, query) => call(freezePayout, { query, body: { undecided } }), onDone)

export const useThaw = (onDone: () => void) =>
  useChange((reason: string, query) => call(thawPayout, { query, body: { reason } }), onDone)

export const useReconcile = () =>
  useChange((body: CallArgs<typeof reconcilePayout>['body'], query) => call(reconcilePayout, { query, body }))

/** Downloads the pack through a call, because a link would not send the session’s token. */
export function useDownload() {
  const queries = useQueryClient()
  const { query } = useChosenCampaign()
  const [isPending, setPending] = useState(false)
  async function download() {
    setPending(true)
    try {
      // The state has the progress of the run from here on.
      setTimeout(() => void queries.invalidateQueries({ queryKey: stateKey(query) }), WATCH_MS)
      const search = String(new URLSearchParams(query))
      saveAs(await fetchFile(payoutPack.path + (search && `?${search}`)), payoutPack.file?.name ?? '')
    } catch (error) {
      console.error(error)
      toast.error(messageOf(error, DASHBOARD_WORDS.downloadFailed))
    } finally {
      setPending(false)
      void queries.invalidateQueries({ queryKey: stateKey(query) })
    }
  }
  return { isPending, download: () => void download() }
}
