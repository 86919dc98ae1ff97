import { mailFlow } from '#contract/dashboard/mail.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { CODE_DELIVERY } from '#messages/code-delivery.js'
import { useData } from '#web/features/api/use-data.ts'

const POLL_MS = 8_000

/** Whether all emails are delayed. The delay of one would reveal whether its address has an account. */
export default function Delivery() {
  const { data } = useData(mailFlow, { queryKey: ['mail flow'], refetchInterval: POLL_MS })
  return (
    // `data-lasting` tells browser tests not to wait until this status disappears.
    <p role="status" data-lasting className="mt-4 min-h-[3lh] text-sm text-ink-soft">
      {data && textOf(data)}
    </p>
  )
}

function textOf({ flow, minutes }: ReplyOf<typeof mailFlow>['data']): string {
  if (flow === 'unknown') return ''
  return flow === 'slow' ? CODE_DELIVERY.slow({ minutes }) : CODE_DELIVERY[flow]
}
