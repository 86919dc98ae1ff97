import { routeText } from '#web/routes.ts'
import type { Route } from '#web/routes.ts'
import { CAMPAIGN } from './campaign-data.ts'

/** Title and description of a screen; React lifts them into the head. */
export function Head({ route }: { route: Route }) {
  return (
    <>
      <title>{routeText(route.title, CAMPAIGN.token)}</title>
      <meta name="description" content={routeText(route.description, CAMPAIGN.token)} />
      {!route.indexed && <meta name="robots" content="noindex" />}
    </>
  )
}
