import { LOOK } from '#messages/dashboard-look.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { DashboardScreen, mayBeAdministrator } from '../dashboard-screen.tsx'
import { LookForm } from './look-form.tsx'
import { useLook } from './use-look.ts'

export default function LookScreen() {
  const look = useLook(mayBeAdministrator())
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.look} error={look.error}>
      <h1 className="mt-6 text-2xl">{LOOK.title}</h1>
      <p className="mt-2 mb-8 max-w-[60ch] text-ink-soft">{LOOK.lead}</p>
      <LookForm look={look} />
    </DashboardScreen>
  )
}
