import { ROUTES } from '#web/routes.ts'

/** The query parameters that Telegram redirects back with; `declined` when the login was canceled there. */
type TelegramReturn = { code: string; state: string } | 'declined'

// Read and removed from the address when this module loads: the code must not be reloaded, shared or kept in
// the history.
let pending = takeFromUrl()

function takeFromUrl(): TelegramReturn | undefined {
  const params = new URLSearchParams(location.search)
  const state = params.get('state')
  if (location.pathname !== ROUTES.profile.path || state === null) return undefined
  history.replaceState(history.state, '', location.pathname)
  const code = params.get('code')
  return code === null ? 'declined' : { code, state }
}

/** Returns the result once; later calls return undefined. */
export function takeTelegramReturn(): TelegramReturn | undefined {
  const result = pending
  pending = undefined
  return result
}
