import { ROUTES } from '#web/routes.ts'

/** What somebody comes back from Telegram with; `declined` when they did not confirm there. */
export type TelegramReturn = { code: string; state: string } | 'declined'

// Read and taken out of the address as soon as this file is there, before anything is drawn: it must not be
// reloaded, shared or remembered.
let came = takeFromAddress()

function takeFromAddress(): TelegramReturn | undefined {
  const asked = new URLSearchParams(location.search)
  const state = asked.get('state')
  if (location.pathname !== ROUTES.profile.path || state === null) return undefined
  history.replaceState(history.state, '', location.pathname)
  const code = asked.get('code')
  return code === null ? 'declined' : { code, state }
}

/** The first who asks gets it. */
export function takeTelegramReturn(): TelegramReturn | undefined {
  const taken = came
  came = undefined
  return taken
}
