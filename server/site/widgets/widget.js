// Keeps a widget up to date while it is visible. It stores nothing, and sends no cookie.
;(() => {
  const { widget, url, numbers } = document.body.dataset
  const EVERY_MS = 20_000
  const SLOWEST_MS = 320_000
  // Four hours: a page that is left open must not ask forever.
  let pollsLeft = 720
  let wait = EVERY_MS
  const find = (part) => document.querySelector(`[data-${part}]`)
  const grouped = (count) => new Intl.NumberFormat(numbers).format(count)

  function showSlots({ slots, open, opensAt, closesAt }) {
    const { left, total } = slots
    const state = open
      ? 'open'
      : Date.now() < Date.parse(opensAt)
        ? 'before'
        : closesAt && Date.now() >= Date.parse(closesAt)
          ? 'after'
          : left === 0
            ? 'gone'
            : 'closed'
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
        wait = EVERY_MS
      } catch {
        wait = Math.min(2 * wait, SLOWEST_MS)
      }
    }
    if (pollsLeft > 0) setTimeout(poll, wait)
  }
  setTimeout(poll, wait)
})()
