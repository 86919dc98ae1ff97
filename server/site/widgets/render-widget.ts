import { type Campaign, campaign as campaignEndpoint } from '#contract/campaign.ts'
import { type LeaderboardEntry, leaderboard } from '#contract/leaderboard.ts'
import { dateTag, directionOf, intlTag, type Locale, localizedPath } from '#contract/locales.ts'
import { phaseOf } from '#contract/phase.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { inUtcOf } from '#web/content/dates.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import { escapeHtml } from '#server/platform/html.ts'

export const STYLE_PATH = '/widget/widget.css'
export const SCRIPT_PATH = '/widget/widget.js'

export type Theme = 'light' | 'dark' | 'auto'
/** `name` is the name of the campaign in the language `locale`. */
type Frame = { name: string; publicUrl: string; theme: Theme; locale: Locale }

const grouped = (count: number, { locale }: Frame) => new Intl.NumberFormat(intlTag(locale)).format(count)

/** Like the leaderboard, readable without the script. @param now milliseconds since 1970. */
export function renderSlots(campaign: Campaign, frame: Frame, now: number): string {
  const { opensAt, slots } = campaign
  const { left, total } = slots
  const { TIME, WIDGETS } = textsIn(frame.locale)
  const words = WIDGETS.slots
  const state = stateOf(campaign, now)
  // The script replaces {total} with the number from the API.
  const lines = {
    open: words.open({ total: '{total}' }),
    gone: words.gone({ total: '{total}' }),
    before: words.before({ date: inUtcOf(opensAt, dateTag(frame.locale), TIME) }),
    after: words.after,
    closed: words.closed,
  }
  const data = Object.entries(lines).map(([name, line]) => `data-${name}="${escapeHtml(line)}"`)
  const figure = state === 'after' || state === 'gone' ? '' : grouped(left, frame)
  return page(
    frame,
    { widget: 'slots', title: words.title({ name: frame.name }), url: API_BASE + campaignEndpoint.path },
    `<h1>${escapeHtml(frame.name)}</h1>
<p class="figure" data-figure>${figure}</p>
<p class="line" data-line ${data.join(' ')}>${escapeHtml(lines[state].replace('{total}', grouped(total, frame)))}</p>
<svg viewBox="0 0 320 48" preserveAspectRatio="none" aria-hidden="true"><path d="${PULSE}"/><path class="taken" data-taken pathLength="100" stroke-dasharray="${100 - (100 * left) / total} 100" d="${PULSE}"/></svg>
${link(frame, ROUTES.airdrop, words.link)}`,
  )
}

function stateOf({ slots, open, opensAt, closesAt }: Campaign, now: number) {
  if (open) return 'open'
  // Between its dates, a campaign is closed only while it is paused or has no free slot.
  const phase = phaseOf({ opensAt, closesAt }, now)
  if (phase !== 'open') return phase
  return slots.left === 0 ? 'gone' : 'closed'
}

/** A longer version of the line in web/ui/pulse.tsx. */
const PULSE = 'M0 36H134l6-9 6 9h7l9-32 10 40 8-22 5 14H320'

export function renderLeaderboard(entries: readonly LeaderboardEntry[], frame: Frame, limit: number): string {
  const words = textsIn(frame.locale).WIDGETS.leaderboard
  const body = entries.map(
    ({ rank, username, totalPoints }) =>
      `<tr><td>${rank}</td><td>${escapeHtml(username)}</td><td>${grouped(totalPoints, frame)}</td></tr>`,
  )
  const hidden = (isHidden: boolean) => (isHidden ? ' hidden' : '')
  return page(
    frame,
    {
      widget: 'leaderboard',
      title: words.title({ name: frame.name }),
      url: `${API_BASE}${leaderboard.path}?page=1&limit=${limit}`,
    },
    `<h1>${escapeHtml(frame.name)}</h1>
<table data-table aria-label="${words.caption}"${hidden(entries.length === 0)}>
<thead><tr><th scope="col">${words.rank}</th><th scope="col">${words.user}</th><th scope="col">${words.points}</th></tr></thead>
<tbody data-rows>${body.join('')}</tbody></table>
<p class="line" data-empty${hidden(entries.length > 0)}>${words.empty}</p>
${link(frame, ROUTES.leaderboard, words.link)}`,
  )
}

const link = ({ publicUrl, locale }: Frame, { id }: Route, text: string) =>
  `<a href="${escapeHtml(publicUrl + localizedPath(locale, id))}" target="_blank" rel="noopener">${text}</a>`

type WidgetPage = {
  widget: 'slots' | 'leaderboard'
  title: string
  /** The API call from which the script updates the widget. */
  url: string
}

function page({ theme, locale }: Frame, { widget, title, url }: WidgetPage, body: string): string {
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}" data-theme="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><meta name="robots" content="noindex"><link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}"><script src="${SCRIPT_PATH}" defer></script></head>
<body data-widget="${widget}" data-url="${escapeHtml(url)}" data-numbers="${intlTag(locale)}"><main>
${body}
</main></body></html>
`
}
