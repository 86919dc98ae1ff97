// Updates a widget while it is visible. Stores nothing and sends no cookies.
;(() => {
  const { widget, url, numbers } = document.body.dataset
  const INTERVAL_MS = 20_000
  const MAX_INTERVAL_MS = 320_000
  // Enough for four hours. A page that is left open must not poll forever.
  let pollsLeft = 720
  let intervalMs = INTERVAL_MS
  const find = (part) => document.querySelector(`[data-${part}]`)
  const grouped = (count) => new Intl.NumberFormat(numbers).format(count)

  function stateOf({ slots, open, opensAt, closesAt }) {
    if (open) return 'open'
    if (Date.now() < Date.parse(opensAt)) return 'before'
    if (closesAt && Date.now() >= Date.parse(closesAt)) return 'after'
    return slots.left === 0 ? 'gone' : 'closed'
  }

  function showSlots(campaign) {
    const { left, total } = campaign.slots
    const state = stateOf(campaign)
    const line = find('line')
    line.textContent = line.dataset[state].replace('{total}', grouped(total))
    find('figure').textContent = state === 'after' || state === 'gone' ? '' : grouped(left)
    find('taken').setAttribute('stroke-dasharray', `${100 - (100 * left) / total} 100`)
  }

  function showLeaderboard(entries) {
    const body = find('rows')
    body.replaceChildren(
      ...entries.map(({ rank, username, totalPoints }) => {
        const row = document.createElement('tr')
        for (const text of [rank, username, grouped(totalPoints)]) {
          const cell = document.createElement('td')
          cell.textContent = text
          row.append(cell)
        }
        return row
      }),
    )
    find('table').hidden = entries.length === 0
    find('empty').hidden = entries.length > 0
  }

  const show = widget === 'slots' ? showSlots : showLeaderboard

  async function poll() {
    if (document.visibilityState === 'visible') {
      pollsLeft -= 1
      try {
        const response = await fetch(url, { credentials: 'omit' })
        if (!response.ok) throw new Error(String(response.status))
        show((await response.json()).data)
        intervalMs = INTERVAL_MS
      } catch {
        intervalMs = Math.min(2 * intervalMs, MAX_INTERVAL_MS)
      }
    }
    if (pollsLeft > 0) setTimeout(poll, intervalMs)
  }
  setTimeout(poll, intervalMs)
})()
