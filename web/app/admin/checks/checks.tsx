import { CHECKS } from '#messages/dashboard-setup.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { DashboardScreen, mayBeAdministrator } from '../dashboard-screen.tsx'
import { DeploymentChecks, useDeploymentChecks } from './deployment-checks.tsx'

/** The deployment checks of the setup, to be run whenever something seems wrong. */
export default function Checks() {
  const checks = useDeploymentChecks(mayBeAdministrator())
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.checks} error={checks.error}>
      <h1 className="mt-6 text-2xl">{DASHBOARD_ROUTES.checks.name}</h1>
      <p className="mt-2 mb-6 max-w-[60ch] text-ink-soft">{CHECKS.lead}</p>
      <DeploymentChecks checks={checks} isStep={false} />
    </DashboardScreen>
  )
}
