import { INTL_TAG } from '#messages/locale.js'
import { RichText } from '#web/ui/text/rich-text.tsx'
import { type Delivery, listDeliveries, replayDelivery } from '#contract/dashboard/webhooks.ts'
import { WEBHOOKS } from '#messages/dashboard-webhooks.js'
import { call } from '#web/features/api/call.ts'
import { Ago, formatDateTime } from '#web/features/time/time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'
import { CompactButton } from '../ui/compact-button.tsx'
import { ListFoot, usePages } from '../ui/paged-list.tsx'
import { useChange } from '../api/use-change.ts'

/** The first part of the keys of all queries about webhooks. */
export const WEBHOOKS_QUERY = ['webhooks']
/** How often webhooks and deliveries are refetched while messages are waiting. */
export const POLL_MS = 1_500
const PAGE_SIZE = '10'

export function Deliveries({ id }: { id: string }) {
  const list = usePages({
    queryKey: [...WEBHOOKS_QUERY, id],
    fetchPage: (cursor) => call(listDeliveries, { params: { id }, query: { limit: PAGE_SIZE, cursor } }),
    pollMs: (pages) =>
      pages.some(({ data }) => data.some(({ state }) => state === 'waiting')) ? POLL_MS : false,
  })
  const deliveries = list.data?.entries ?? []
  return (
    <section aria-label={WEBHOOKS.deliveries} className="grid grid-cols-1 gap-3 ps-4 sm:ps-6">
      <h3 className="label">{WEBHOOKS.deliveries}</h3>
      {list.isPending && <Skeleton className="h-16 w-full" />}
      {list.isSuccess && deliveries.length === 0 && <p className="text-ink-soft">{WEBHOOKS.noDeliveries}</p>}
      <ul className="grid grid-cols-1">
        {deliveries.map((delivery) => (
          <DeliveryEntry key={delivery.id} webhookId={id} delivery={delivery} />
        ))}
      </ul>
      <ListFoot list={list} />
    </section>
  )
}

const TONES: Record<Delivery['state'], StampTone> = { waiting: 'ink', delivered: 'proof', failed: 'accent' }

function DeliveryEntry({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const { id, event, at, state, nextAt } = delivery
  const replaying = useChange(WEBHOOKS_QUERY, () =>
    call(replayDelivery, { params: { id: webhookId, delivery: id } }),
  )
  return (
    <li className="grid grid-cols-1 gap-1 border-t border-hairline py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold">{WEBHOOKS.events[event]}</span>
          <Ago at={at} className="text-ink-soft" />
          <Stamp tone={TONES[state]}>{WEBHOOKS.states[state]}</Stamp>
          <span className="figures text-ink-soft">{outcomeOf(delivery)}</span>
        </p>
        {state !== 'waiting' && (
          <CompactButton isPending={replaying.isPending} onClick={() => replaying.mutate()}>
            {WEBHOOKS.replay}
            <span className="sr-only"> {WEBHOOKS.messageId({ id })}</span>
          </CompactButton>
        )}
      </div>
      {nextAt !== null && state === 'waiting' && (
        <p className="text-ink-soft">
          <RichText
            text={WEBHOOKS.next({ time: formatDateTime(nextAt) })}
            tags={{ time: <time dateTime={nextAt} /> }}
          />
        </p>
      )}
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4 lg:min-h-8">
          {WEBHOOKS.details}
          <span className="sr-only"> {WEBHOOKS.messageId({ id })}</span>
        </summary>
        <Content
          label={WEBHOOKS.message}
          text={JSON.stringify({ type: event, timestamp: at, data: delivery.data }, null, 2)}
        />
        <Content label={WEBHOOKS.answer} text={delivery.answer || WEBHOOKS.noAnswer} />
      </details>
    </li>
  )
}

const LIST_FORMAT = new Intl.ListFormat(INTL_TAG, { type: 'unit' })

/**
 * The number of attempts and the outcome of the last one; if there were none, why the message was dropped. An
 * answer is described by its status only, unless it is a redirect.
 */
function outcomeOf({ attempts, status, latencyMs, failure }: Delivery): string {
  if (attempts === 0) return failure ?? ''
  const answerText = isRedirect(status) ? WEBHOOKS.redirected : WEBHOOKS.answered
  const outcome = status === null ? (failure ?? '') : answerText({ status, ms: latencyMs ?? 0 })
  return LIST_FORMAT.format([WEBHOOKS.attempts({ count: attempts }), outcome])
}

const isRedirect = (status: number | null) => status !== null && status >= 300 && status < 400

function Content({ label, text }: { label: string; text: string }) {
  return (
    <figure className="mt-2 grid grid-cols-1 gap-1">
      <figcaption className="label">{label}</figcaption>
      <pre className="figures overflow-x-auto rounded-sm border border-hairline bg-sheet p-3 whitespace-pre-wrap break-all">
        {text}
      </pre>
    </figure>
  )
}
