import type { ComponentType } from 'react'
import { navigate, useLocation, useParam, withQuery } from '#web/features/navigation/location.ts'
import { MAIL } from '#messages/dashboard-mail.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { Toggles } from '../ui/toolbar.tsx'
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
const TAB_NAMES = Object.keys(MAIL.tab) as MailTab[]

export default function MailScreen() {
  const { pathname } = useLocation()
  const requested = useParam('tab')
  const tab = TAB_NAMES.find((name) => name === requested) ?? 'outbox'
  // Fetched for all tabs, because its error tells whether the screen may be seen.
  const { error } = useOutboxSummary()
  const Tab = TABS[tab]
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.mail} error={error}>
      <h1 className="mt-6 text-2xl">{MAIL.title}</h1>
      <div className="mt-4 border-y border-hairline py-2">
        <Toggles
          label={MAIL.tabs}
          options={MAIL.tab}
          value={tab}
          onToggle={(name) => navigate(withQuery(pathname, { tab: name === 'outbox' ? '' : name }))}
        />
      </div>
      <Tab />
    </DashboardScreen>
  )
}
