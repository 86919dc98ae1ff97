import { useLocation } from '#web/features/navigation/location.ts'
import { isLoggedIn, sessionUser } from '#web/features/session/session.ts'
import { NoLink } from './no-link.tsx'
import { OpenLink } from './open-link.tsx'
import { Steps } from './steps.tsx'

/** The first run: the setup link opens it, and what follows is for the administrator that it creates. */
export default function Setup() {
  const { hash } = useLocation()
  if (isLoggedIn() && sessionUser()?.role === 'admin') return <Steps />
  const token = new URLSearchParams(hash.slice(1)).get('token')
  return token ? <OpenLink token={token} /> : <NoLink />
}
