import { useLocation } from '#web/features/navigation/location.ts'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { PeopleScreen } from './people-list.tsx'
import { PersonScreen } from './person-page.tsx'

const { path } = DASHBOARD_ROUTES.people

/** The list of people, or the page of the one whose id the address ends with. */
export default function People() {
  const userId = useLocation()
    .pathname.slice(path.length + 1)
    .replace(/\/$/, '')
  return userId === '' ? <PeopleScreen /> : <PersonScreen key={userId} userId={userId} />
}
