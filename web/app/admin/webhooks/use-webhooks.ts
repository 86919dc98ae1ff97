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
import { mayBeAdministrator } from '../dashboard-screen.tsx'
import { usePages } from '../use-pages.ts'

const KEY = ['webhooks']
const PAGE_SIZE = '10'
const POLL_MS = 1_500

/** All webhooks; polled while messages are waiting. */
export function useWebhooks() {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => (await call(listWebhooks, {})).data,
    enabled: mayBeAdministrator(),
    refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? POLL_MS : false),
  })
}

/** The deliveries of a webhook; polled while one is waiting. */
export const useDeliveries = (webhookId: string) =>
  usePages({
    queryKey: [...KEY, webhookId],
    fetchPage: (cursor) =>
      call(listDeliveries, { params: { id: webhookId }, query: { limit: PAGE_SIZE, cursor } }),
    pollMs: (pages) =>
      pages.some(({ data }) => data.some(({ state }) => state === 'waiting')) ? POLL_MS : false,
  })

export const useAdd = (onDone: (added: { secret: string }) => void) =>
  useChange(KEY, (body: CallArgs<typeof addWebhook>['body']) => call(addWebhook, { body }), { onDone })

export const useSetEnabled = (id: string) =>
  useChange(KEY, (isEnabled: boolean) => call(changeWebhook, { params: { id }, body: { isEnabled } }))

export const useRemove = (id: string) => useChange(KEY, () => call(removeWebhook, { params: { id } }))

export const useTest = (id: string, onDone: () => void) =>
  useChange(KEY, () => call(testWebhook, { params: { id } }), { onDone })

export const useReplay = (webhookId: string) =>
  useChange(KEY, (delivery: string) => call(replayDelivery, { params: { id: webhookId, delivery } }))
