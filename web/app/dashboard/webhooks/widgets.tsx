import { useState } from 'react'
import { type Locale, LOCALE_NAMES, LOCALES } from '#contract/locales.ts'
import { EMBED } from '#messages/dashboard-webhooks.js'
import { LOCALE } from '#messages/locale.js'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Choice } from '../ui/toolbar.tsx'
import { Copy } from '../ui/copy.tsx'
import { TitledSection } from '../dashboard-screen.tsx'

type Theme = keyof typeof EMBED.themes
const LANGUAGES = new Map(LOCALES.map((locale) => [locale, LOCALE_NAMES[locale]]))
const ROWS = new Map(['3', '5', '10'].map((count) => [count, count]))
/** Room for the widgets at the snippet's width of 320 pixels. */
const SLOTS_HEIGHT_PX = 250
const LEADERBOARD_HEIGHT_PX = { withoutRows: 170, perRow: 36 }

export function Widgets() {
  const [theme, setTheme] = useState<Theme>('auto')
  const [rows, setRows] = useState('5')
  const [locale, setLocale] = useState<Locale>(LOCALE)
  const params = `lang=${locale}&theme=${theme}`
  return (
    <TitledSection title={EMBED.title} className="grid grid-cols-1 gap-5">
      <p className="max-w-prose text-ink-soft">{EMBED.lead}</p>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <Choice isInline label={EMBED.language} value={locale} options={LANGUAGES} onChoice={setLocale} />
        <Choice isInline label={EMBED.theme} value={theme} options={EMBED.themes} onChoice={setTheme} />
        <Choice isInline label={EMBED.rows} value={rows} options={ROWS} onChoice={setRows} />
      </div>
      <Snippet
        name={EMBED.slots}
        title={EMBED.frames.slots[locale]}
        path={`/widget/slots?${params}`}
        height={SLOTS_HEIGHT_PX}
      />
      <Snippet
        name={EMBED.leaderboard}
        title={EMBED.frames.leaderboard[locale]}
        path={`/widget/leaderboard?${params}&rows=${rows}`}
        height={LEADERBOARD_HEIGHT_PX.withoutRows + LEADERBOARD_HEIGHT_PX.perRow * Number(rows)}
      />
    </TitledSection>
  )
}

type SnippetProps = {
  name: string
  /** The frame's accessible name, in the widget's language. */
  title: string
  path: string
  height: number
}

function Snippet({ name, title, path, height }: SnippetProps) {
  const address = location.origin + path
  const html = `<iframe src="${address.replaceAll('&', '&amp;')}" title="${title}" width="320" height="${height}" style="border:0" loading="lazy"></iframe>`
  return (
    <figure className="grid grid-cols-1 gap-2">
      <figcaption className="font-semibold">{name}</figcaption>
      <pre className="figures overflow-x-auto rounded-sm border border-hairline bg-sheet p-3 text-sm wrap-anywhere whitespace-pre-wrap">
        {html}
      </pre>
      <div className="flex flex-wrap gap-2">
        <Copy text={html} contentName={EMBED.snippet({ name })} />
        <a href={path} target="_blank" rel="noopener" className={buttonStyle('quiet', 'compact')}>
          {EMBED.look}
          <span className="sr-only">: {name}</span>
        </a>
      </div>
    </figure>
  )
}
