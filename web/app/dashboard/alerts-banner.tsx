import { useQuery } from '@tanstack/react-query'
import { type Alert, alerts } from '#contract/dashboard/alerts.ts'
import { ALERT_WORDS, ALERTS } from '#messages/dashboard-alerts.js'
import { alertText } from '#web/content/dashboard/alerts.ts'
import { call } from '#web/features/api/call.ts'
import { AgoIn } from '#web/features/time/time.tsx'

const POLL_MS = 60_000

export function AlertsBanner() {
  const { data } = useQuery({
    queryKey: ['alerts'],
    // The schema does not tell the type of `facts`, but `Alert` does.
    queryFn: async () => (await call(alerts, {})).data as Alert[],
    refetchInterval: POLL_MS,
  })
  if (!data || data.length === 0) return null
  return (
    <section aria-label={ALERT_WORDS.label} className="mt-4 grid gap-3">
      {data.map((alert) => (
        <AlertItem key={`${alert.condition} ${alert.place}`} alert={alert} />
      ))}
    </section>
  )
}

function AlertItem({ alert: { condition, facts, since } }: { alert: Alert }) {
  const { title, advice } = ALERTS[condition]
  return (
    <div role="alert" className="grid gap-1 border-s-4 border-accent bg-ink/5 px-4 py-3">
      <p className="font-semibold">
        {title} {/* Not live: it changes every minute, and the whole alert would be announced again. */}
        <span aria-live="off" className="text-sm font-normal text-ink-soft">
          <AgoIn message={ALERT_WORDS.since} at={since} />
        </span>
      </p>
      <p className="text-sm wrap-anywhere">
        {alertText({ condition, facts })} {advice}
      </p>
    </div>
  )
}
