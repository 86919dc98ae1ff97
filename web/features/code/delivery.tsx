import { useQuery } from '@tanstack/react-query'
import { mailFlow } from '#contract/dashboard/mail.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { CODE_DELIVERY } from '#messages/code-delivery.js'
import { call } from '#web/features/api/call.ts'

const POLL_MS = 8_000

/**
 * Says whether emails are delayed at the moment. It says nothing about a single address, which would reveal
 * whether the address has an account.
 */
export default function Delivery() {
  const { data } = useQuery({
    queryKey: ['mail flow'],
    queryFn: async () => (await call(mailFlow, {})).data,
    refetchInterval: POLL_MS,
    retry: false,
  })
  return (
    // `data-lasting`: browser tests do not wait until this status disappears.
    <p role="status" data-lasting className="mt-4 min-h-[3lh] text-sm text-ink-soft">
      {data && textOf(data)}
    </p>
  )
}

function textOf({ flow, minutes }: ReplyOf<typeof mailFlow>['data']): string {
  if (flow === 'unknown') return ''
  return flow === 'slow' ? CODE_DELIVERY.slow({ minutes }) : CODE_DELIVERY[flow]
}
