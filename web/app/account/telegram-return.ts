import { ROUTES } from '#web/routes.ts'

/** The query parameters that Telegram redirects back with; `declined` when the login was cancelled there. */
export type TelegramReturn = { code: string; state: string } | 'declined'

// Read and removed from the address when this module loads: the code must not be reloaded, shared or kept in
// the history.
let came = takeFromAddress()

function takeFromAddress(): TelegramReturn | undefined {
  const asked = new URLSearchParams(location.search)
  const state = asked.get('state')
  if (location.pathname !== ROUTES.profile.path || state === null) return undefined
  history.replaceState(history.state, '', location.pathname)
  const code = asked.get('code')
  return code === null ? 'declined' : { code, state }
}

/** Returns the result once; later calls return undefined. */
export function takeTelegramReturn(): TelegramReturn | undefined {
  const taken = came
  came = undefined
  return taken
}
