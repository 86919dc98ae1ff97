import { useQuery } from '@tanstack/react-query'
import { ownPayout } from '#contract/allocation.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { call } from '#web/features/api/call.ts'

export type OwnPayout = NonNullable<ReplyOf<typeof ownPayout>['data']>

/** The participant's share of the frozen allocation; `enabled` for participants with a claim, because no one else has one. */
export function useOwnPayout(enabled: boolean) {
  return useQuery({
    queryKey: ['own-payout'],
    queryFn: async () => (await call(ownPayout, {})).data,
    enabled,
  })
}
