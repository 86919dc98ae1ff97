import type { ComponentType } from 'react'
import { navigate, useLocation } from '#web/features/navigation/location.ts'
import { MAIL } from '#messages/dashboard-mail.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { classes } from '#web/ui/classes.ts'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { Announcements } from './announcements.tsx'
import { Outbox } from './outbox.tsx'
import { Sender } from './sender.tsx'
import { Suppressed } from './suppressed.tsx'
import { useOutboxSummary } from './use-mail.ts'

type MailTab = keyof typeof MAIL.tab

const TABS: Record<MailTab, ComponentType> = {
  outbox: Outbox,
  announcements: Announcements,
  sender: Sender,
  suppressed: Suppressed,
}

/** Mail: what became of emails, announcements, the sender’s domain, and addresses that refuse. */
export default function MailScreen() {
  const { tab, show } = useMailTab()
  // Fetched whatever tab is open, because its error says who may not see the screen.
  const { error } = useOutboxSummary()
  const Tab = TABS[tab]
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.mail} error={error}>
      <h1 className="mt-6 text-2xl">{MAIL.title}</h1>
      <div
        role="group"
        aria-label={MAIL.tabs}
        className="mt-4 flex flex-wrap gap-1 border-y border-hairline py-2 text-sm"
      >
        {(Object.keys(MAIL.tab) as MailTab[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === tab}
            onClick={() => show(name)}
            className={classes(
              'inline-flex min-h-11 items-center rounded-sm px-3 font-semibold lg:min-h-8',
              name === tab ? 'bg-ink text-paper' : 'hover:bg-ink/5',
            )}
          >
            {MAIL.tab[name]}
          </button>
        ))}
      </div>
      <Tab />
    </DashboardScreen>
  )
}

/** The open tab, kept in the URL. */
function useMailTab() {
  const { pathname, search } = useLocation()
  const given = new URLSearchParams(search).get('tab')
  const tab = (Object.keys(TABS) as MailTab[]).find((name) => name === given) ?? 'outbox'
  const show = (name: MailTab) => navigate(name === 'outbox' ? pathname : `${pathname}?tab=${name}`)
  return { tab, show }
}
