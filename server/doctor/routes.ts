import * as contract from '#contract/dashboard/deployment.ts'
import { route, type Route } from '../platform/http/route.ts'
import type { DeploymentChecks } from './deployment-checks.ts'

export const deploymentRoutes = (checks: DeploymentChecks): Route[] => [
  route(contract.examineDeployment, async ({ body, readForwarding, locale }) => ({
    data: await checks.examine({ forwarding: readForwarding(), ...body }, locale),
  })),
  route(contract.sendTestMail, async ({ caller, locale }) => ({
    data: await checks.sendTestMail(caller.userId, locale),
  })),
  route(contract.deploymentEnvironment, async () => ({ data: [...checks.environment] })),
]
