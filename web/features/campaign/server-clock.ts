import type { Campaign } from '#contract/campaign.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'

// The endpoint itself would bring its schema along, which a marketing page does without.
const ask = () => fetch(`${API_BASE}/campaign`, { cache: 'no-store' })

/** The campaign's stage and opening, as the server says. */
export async function readStage(): Promise<Pick<Campaign, 'stage' | 'opensAt'>> {
  const { data } = (await (await ask()).json()) as { data: Campaign }
  return data
}

/**
 * A clock that agrees with the server's to the second; the visitor's own if the server cannot be asked.
 * @returns a function for the milliseconds since 1970.
 */
export async function serverClock(): Promise<() => number> {
  const date = await ask().then(
    ({ headers }) => Date.parse(headers.get('date') ?? ''),
    () => Number.NaN,
  )
  if (Number.isNaN(date)) return Date.now
  const offset = date - Date.now()
  return () => Date.now() + offset
}
