import type { ReactNode } from 'react'
import type { Webhook } from '#contract/dashboard/webhooks.ts'
import { WEBHOOKS } from '#messages/dashboard-webhooks.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { QueryContent } from '../query-content.tsx'
import { AddWebhook } from './add-webhook.tsx'
import { useWebhooks } from './use-webhooks.ts'
import { WebhookEntry } from './webhook-entry.tsx'
import { Widgets } from './widgets.tsx'

/** The webhooks with their logs, and the snippets of the widgets. */
export default function WebhooksScreen() {
  const webhooks = useWebhooks()
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.webhooks} error={webhooks.error}>
      <h1 className="mt-6 text-2xl">{WEBHOOKS.title}</h1>
      <p className="mt-2 max-w-prose text-ink-soft">{WEBHOOKS.lead}</p>
      <div className="mt-6 grid grid-cols-1 gap-12">
        <QueryContent query={webhooks} words={WEBHOOKS} heights={['h-32']} className="">
          {(data) => <List webhooks={data} />}
        </QueryContent>
        <Widgets />
      </div>
    </DashboardScreen>
  )
}

function List({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <section aria-label={WEBHOOKS.list} className="grid grid-cols-1 gap-5">
      {webhooks.length === 0 ? (
        <p className="border-y border-hairline py-6 font-semibold">{WEBHOOKS.none}</p>
      ) : (
        <ul className="grid grid-cols-1 border-t border-hairline">
          {webhooks.map((webhook) => (
            <WebhookEntry key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      <AddWebhook />
      <p className="max-w-prose text-sm text-ink-soft">
        <RichText text={WEBHOOKS.guide} tags={{ link: <GuideLink /> }} />
      </p>
    </section>
  )
}

/** @param props.children the text of the link, set by `RichText`. */
function GuideLink({ children }: { children?: ReactNode }) {
  return (
    <a href={`${DOCS_PATH}/webhooks`} className="text-link">
      {children}
    </a>
  )
}
