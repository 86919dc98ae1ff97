import { ROUTES } from '#web/routes.ts'

/** The query parameters of Telegram's redirect back to us; `declined` if the login was canceled there. */
type TelegramReturn = { code: string; state: string } | 'declined'

// Taken out of the address when this module loads, so that the code is not reloaded, shared or kept in the
// history.
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
