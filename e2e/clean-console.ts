import type { BrowserContext } from '@playwright/test'

/**
 * What no page may do, from now on: leave an error uncaught, or run into the Content-Security-Policy.
 * A call that is refused is logged too, and is no complaint.
 */
export function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (error) => {
    complaints.push(`uncaught on ${error.page()?.url()}: ${error.error().message}`)
  })
  context.on('console', (message) => {
    if (/content.security.policy/i.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
