import type { BrowserContext } from '@playwright/test'

/**
 * Chromium rejects a promise of its own when it skips the cross-fade between two pages (a quick move, a hidden
 * page). No code of the page holds that promise, so none could catch it.
 */
const SKIPPED_CROSS_FADE = /^(InvalidStateError: |AbortError: )?Transition was (aborted|skipped)/

/**
 * What no page may do, from now on: leave an error uncaught, or run into the Content-Security-Policy.
 * A call that is refused is logged too, and is no complaint.
 */
export function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => {
    const { message } = error.error()
    if (!SKIPPED_CROSS_FADE.test(message)) complaints.push(`uncaught: ${message}`)
  })
  context.on('console', (message) => {
    if (/content.security.policy/i.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
