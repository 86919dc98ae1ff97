import { type ReactNode, useId, useState } from 'react'
import { EMBED } from '#messages/dashboard-webhooks.js'
import { buttonStyle } from '#web/ui/button-style.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'

type Theme = keyof typeof EMBED.themes
const THEMES = Object.keys(EMBED.themes) as Theme[]
const ROWS = [3, 5, 10]

/** The snippets that show the widgets on other sites. */
export function Widgets() {
  const [theme, setTheme] = useState<Theme>('auto')
  const [rows, setRows] = useState(5)
  return (
    <section aria-labelledby="widgets" className="grid grid-cols-1 gap-5">
      <h2 id="widgets" className="text-xl">
        {EMBED.title}
      </h2>
      <p className="max-w-prose text-ink-soft">{EMBED.lead}</p>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <Choice label={EMBED.theme} value={theme} onValue={(value) => setTheme(value as Theme)}>
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {EMBED.themes[name]}
            </option>
          ))}
        </Choice>
        <Choice label={EMBED.rows} value={String(rows)} onValue={(value) => setRows(Number(value))}>
          {ROWS.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </Choice>
      </div>
      <Snippet name={EMBED.slots} path={`/widget/slots?theme=${theme}`} height={250} />
      <Snippet
        name={EMBED.leaderboard}
        path={`/widget/leaderboard?theme=${theme}&rows=${rows}`}
        height={170 + 36 * rows}
      />
    </section>
  )
}

type ChoiceProps = { label: string; value: string; onValue: (value: string) => void; children: ReactNode }

function Choice({ label, value, onValue, children }: ChoiceProps) {
  const id = useId()
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
      <label htmlFor={id} className="label">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onValue(target.value)}
        className="min-h-11 max-w-full rounded-sm border border-outline bg-paper px-2.5 hover:border-ink lg:min-h-8"
      >
        {children}
      </select>
    </span>
  )
}

type SnippetProps = { name: string; path: string; /** In pixels. */ height: number }

function Snippet({ name, path, height }: SnippetProps) {
  const address = location.origin + path
  const html = `<iframe src="${address.replaceAll('&', '&amp;')}" title="${name}" width="320" height="${height}" style="border:0" loading="lazy"></iframe>`
  return (
    <figure className="grid grid-cols-1 gap-2">
      <figcaption className="font-semibold">{name}</figcaption>
      <pre className="figures overflow-x-auto rounded-sm border border-hairline bg-sheet p-3 text-sm whitespace-pre-wrap break-all">
        {html}
      </pre>
      <div className="flex flex-wrap gap-2">
        <CopyButton
          text={html}
          label={EMBED.copy}
          of={EMBED.snippet({ name })}
          copiedLabel={EMBED.copied}
          shownFor={2_000}
        />
        <a href={path} target="_blank" rel="noopener" className={buttonStyle('quiet', 'compact')}>
          {EMBED.look}
          <span className="sr-only">: {name}</span>
        </a>
      </div>
    </figure>
  )
}
