import { type FormEvent, useEffect, useRef, useState } from 'react'
import { DOCS_WORDS } from '../words.ts'
import { loadSearch, type Search, type SearchResult } from './search.ts'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'

let searchDialog: HTMLDialogElement | undefined

/** Opens the search dialog. It is created the first time and keeps what was typed. */
export function showSearch(): void {
  searchDialog ??= createDialog()
  if (!searchDialog.open) searchDialog.showModal()
  searchDialog.querySelector('input')?.select()
}

function createDialog(): HTMLDialogElement {
  const place = document.body.appendChild(document.createElement('div'))
  flushSync(() => createRoot(place).render(<SearchDialog />))
  const dialog = place.querySelector('dialog')
  if (!dialog) throw new Error('The search has no dialog')
  dialog.addEventListener('keydown', (event) => moveFocus(dialog, event))
  dialog.addEventListener('click', ({ target }) => {
    // A click on the backdrop closes the dialog. So does a link, which may lead to a part of this page.
    if (target === dialog || (target instanceof Element && target.closest('a'))) dialog.close()
  })
  return dialog
}

function moveFocus(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const stops = [...dialog.querySelectorAll<HTMLElement>('input, .docs-result')]
  const current = stops.findIndex((stop) => stop === document.activeElement) // -1 on the button
  stops[Math.max(0, Math.min(current + step, stops.length - 1))]?.focus()
}

const MAX_RESULTS = 20

type SearchState = Search | 'loading' | 'failed'

function SearchDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [search, setSearch] = useState<SearchState>('loading')
  const [query, setQuery] = useState('')
  const isLoading = search === 'loading'
  useEffect(() => {
    if (!isLoading) return
    loadSearch().then(
      (loaded) => setSearch(() => loaded),
      () => setSearch('failed'),
    )
  }, [isLoading])
  /** Called when the field gets the focus, and so whenever the dialog opens: the network may be back. */
  const retryIfFailed = () => {
    if (search === 'failed') setSearch('loading')
  }
  const results = typeof search === 'function' && query.trim() !== '' ? search(query) : undefined

  const openFirst = (event: FormEvent) => {
    event.preventDefault()
    dialog.current?.querySelector<HTMLElement>('.docs-result')?.click()
  }

  return (
    <dialog ref={dialog} className="docs-search" aria-label={DOCS_WORDS.search}>
      <form role="search" className="docs-search-form" onSubmit={openFirst}>
        <input
          type="text"
          role="searchbox"
          value={query}
          onFocus={retryIfFailed}
          onChange={(event) => setQuery(event.target.value)}
          aria-label={DOCS_WORDS.search}
          placeholder={DOCS_WORDS.placeholder}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
        />
        <button type="button" className="docs-close" onClick={() => dialog.current?.close()}>
          {DOCS_WORDS.close}
        </button>
      </form>
      <p role="status" className="docs-search-status">
        {statusOf(search, results)}
      </p>
      {results !== undefined && (
        <ol className="docs-results">
          {results.slice(0, MAX_RESULTS).map((result) => (
            <li key={result.url}>
              <Result {...result} />
            </li>
          ))}
        </ol>
      )}
    </dialog>
  )
}

function statusOf(search: SearchState, results: readonly SearchResult[] | undefined): string {
  if (search === 'failed') return DOCS_WORDS.failed
  if (search === 'loading') return DOCS_WORDS.loading
  if (results === undefined) return DOCS_WORDS.hint
  if (results.length > MAX_RESULTS) return DOCS_WORDS.firstResults(MAX_RESULTS, results.length)
  return results.length === 0 ? DOCS_WORDS.none : DOCS_WORDS.results(results.length)
}

function Result({ url, title, heading, excerpt, terms }: SearchResult) {
  return (
    <a href={url} className="docs-result">
      <span className="docs-result-title">
        <Marked text={heading || title} terms={terms} />
      </span>
      {heading && <span className="docs-result-page">{title}</span>}
      <span className="docs-result-text">
        <Marked text={excerpt} terms={terms} />
      </span>
    </a>
  )
}

function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  // The longest first, so that all of "backups" is marked if "backup" was found too. Odd parts are matches.
  const longestFirst = terms.toSorted((one, other) => other.length - one.length)
  const patterns = longestFirst.map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const parts = patterns.length === 0 ? [text] : text.split(new RegExp(`\\b(${patterns.join('|')})`, 'gi'))
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))
}
