import { useQuery } from '@tanstack/react-query'
import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  testWebhook,
} from '#contract/dashboard/webhooks.ts'
import { call, type CallArgs } from '#web/features/api/call.ts'
import { useChange } from '../use-change.ts'
import { usePages } from '../use-pages.ts'

const WEBHOOKS_QUERY = ['webhooks']
const PAGE_SIZE = '10'
const POLL_MS = 1_500

/** All webhooks; polled while messages are waiting. */
export function useWebhooks() {
  return useQuery({
    queryKey: WEBHOOKS_QUERY,
    queryFn: async () => (await call(listWebhooks, {})).data,
    refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? POLL_MS : false),
  })
}

/** The deliveries of a webhook; polled while one is waiting. */
export const useDeliveries = (webhookId: string) =>
  usePages({
    queryKey: [...WEBHOOKS_QUERY, webhookId],
    fetchPage: (cursor) =>
      call(listDeliveries, { params: { id: webhookId }, query: { limit: PAGE_SIZE, cursor } }),
    pollMs: (pages) =>
      pages.some(({ data }) => data.some(({ state }) => state === 'waiting')) ? POLL_MS : false,
  })

export const useAdd = (onDone: (added: { secret: string }) => void) =>
  useChange(WEBHOOKS_QUERY, (body: CallArgs<typeof addWebhook>['body']) => call(addWebhook, { body }), {
    onDone,
  })

export const useSetEnabled = (id: string) =>
  useChange(WEBHOOKS_QUERY, (isEnabled: boolean) =>
    call(changeWebhook, { params: { id }, body: { isEnabled } }),
  )

export const useRemove = (id: string) =>
  useChange(WEBHOOKS_QUERY, () => call(removeWebhook, { params: { id } }))

export const useTest = (id: string, onDone: () => void) =>
  useChange(WEBHOOKS_QUERY, () => call(testWebhook, { params: { id } }), { onDone })

export const useReplay = (webhookId: string) =>
  useChange(WEBHOOKS_QUERY, (delivery: string) =>
    call(replayDelivery, { params: { id: webhookId, delivery } }),
  )
