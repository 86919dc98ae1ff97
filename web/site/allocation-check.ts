import { allocationFacts } from '#web/features/allocation/facts.ts'
import { startCheck } from '#web/features/allocation/start-check.ts'
import type { AllocationSummary, Allotment } from '#contract/allocation.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import type { FindAllotment } from '#web/features/allocation/verify.ts'
import { showState } from './allocation-state.ts'

export async function showAllocation(section: HTMLElement): Promise<void> {
  const query = campaignQuery(location.search)
  const summary = await askForSummary(query).catch(() => undefined) // null before the freeze
  if (!summary) return showState(section, summary === null ? 'none' : 'unreachable')
  for (const { id, label, value } of allocationFacts(summary)) {
    // The page was rendered with the symbols of the current campaign.
    setText(section, `[data-fact-label="${id}"]`, label)
    setText(section, `[data-fact="${id}"]`, value)
  }
  showState(section, 'frozen')
  startCheck(section, summary, askForAllotment(query, summary))
}

/** The query of the calls: `?campaign=…` on the page of an earlier campaign, empty for the current one. */
function campaignQuery(search: string): string {
  const id = new URLSearchParams(search).get('campaign')
  return id === null ? '' : `?campaign=${encodeURIComponent(id)}`
}

/** Null before the freeze. @throws if the server gives no answer. */
async function askForSummary(query: string): Promise<AllocationSummary | null> {
  const response = await fetch(`${API_BASE}/allocation${query}`, { cache: 'no-cache' })
  return readData<AllocationSummary | null>(response)
}

function setText(section: HTMLElement, selector: string, text: string): void {
  const place = section.querySelector(selector)
  if (place) place.textContent = text
}

/**
 * Asks the server, whose answer counts only once it is verified. If the freeze that the page shows has been
 * undone, its root proves nothing: the page is loaded again, with the wallet in its address.
 */
const askForAllotment =
  (query: string, { root }: AllocationSummary): FindAllotment =>
  async (wallet) => {
    const row = await askForRow(wallet, query)
    if (row?.root === root || (await askForSummary(query))?.root === root) return row
    history.replaceState(history.state, '', `#${wallet}`)
    location.reload()
    // Pending until the page is gone.
    return new Promise<never>(() => {})
  }

async function askForRow(wallet: string, query: string): Promise<Allotment | null> {
  const response = await fetch(`${API_BASE}/allocation/${wallet}${query}`, { cache: 'no-cache' })
  if (response.status !== 404) return readData<Allotment>(response)
  const refusal = (await response.json()) as { code?: unknown }
  // A proxy in front of the server may also answer 404.
  if (refusal.code !== 'allocation_not_found') throw new Error('The server does not know this call.')
  return null
}

/**
 * The data of a reply. Not `call` of web/features/api, whose schemas and challenges would outweigh the rest
 * of the page's script. These calls have no limits that a challenge could lift.
 */
async function readData<Data>(response: Response): Promise<Data> {
  if (!response.ok) throw new Error(`The server answered with ${response.status}.`)
  const { data } = (await response.json()) as { data?: Data }
  if (data === undefined) throw new Error('The answer has no data.')
  return data
}
