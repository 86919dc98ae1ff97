import { askForAllotment, askForSummary, campaignQuery } from '#web/features/allocation/ask-server.ts'
import { allocationFacts } from '#web/features/allocation/facts.ts'
import { startCheck } from '#web/features/allocation/start-check.ts'

/** Asks what is frozen, and shows the state of the page that fits. */
export async function showAllocation(section: HTMLElement): Promise<void> {
  const query = campaignQuery(location.search)
  const summary = await askForSummary(query).catch(() => undefined)
  if (!summary) return showState(section, summary === null ? 'none' : 'unreachable')
  for (const { id, value } of allocationFacts({ token: '', coin: '' }, summary)) {
    const cell = section.querySelector(`[data-fact="${id}"]`)
    if (cell) cell.textContent = value
  }
  showState(section, 'frozen')
  startCheck(section, summary, askForAllotment(query))
}

function showState(section: HTMLElement, state: 'none' | 'unreachable' | 'frozen') {
  section.removeAttribute('aria-busy')
  for (const part of section.querySelectorAll<HTMLElement>('[data-state]'))
    part.hidden = part.dataset['state'] !== state
}
