import type { ReactNode } from 'react'
import { DOCS_PATH } from '#web/docs-path.ts'
import type { DocsPage, DocsSection, Documentation } from './documentation.ts'
import { DOCS_WORDS } from './words.ts'

const CONTENTS_ID = 'docs-contents'

export const pagesOf = ({ pages }: Documentation, section: DocsSection): DocsPage[] =>
  section.pages.flatMap((path) => pages.find((page) => page.path === path) ?? [])

type DocsLayoutProps = { docs: Documentation; current: string | undefined; children: ReactNode }

/** @param current the page's path; undefined if it is unknown. */
export function DocsLayout({ docs, current, children }: DocsLayoutProps) {
  return (
    <div className="page pt-5">
      <div className="docs-bar">
        <a
          href={DOCS_PATH}
          className="inline-flex min-h-11 items-center font-semibold underline-offset-4 hover:underline"
        >
          {docs.title}
        </a>
        {/* A popover opens without a script. On wide screens, the contents are beside the text. */}
        <button type="button" className="docs-contents-button ms-auto" popoverTarget={CONTENTS_ID}>
          {DOCS_WORDS.contents}
        </button>
        <SearchButton />
      </div>
      <div className="docs-columns">
        <nav id={CONTENTS_ID} popover="auto" aria-label={DOCS_WORDS.pages} className="docs-nav">
          <button
            type="button"
            className="docs-contents-close"
            popoverTarget={CONTENTS_ID}
            popoverTargetAction="hide"
          >
            {DOCS_WORDS.close}
          </button>
          {docs.sections.map((section) => (
            <section key={section.id}>
              <p className="docs-nav-title">{section.title}</p>
              <ul>
                {pagesOf(docs, section).map(({ path, name }) => (
                  <li key={path}>
                    <a href={path} className="docs-nav-link" aria-current={ariaCurrent(path, current)}>
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
        {children}
      </div>
    </div>
  )
}

/** Opens the search. Hidden without scripts; the contents then lead to every page. */
export function SearchButton() {
  return (
    <button type="button" className="docs-search-button needs-script" data-docs-search aria-haspopup="dialog">
      <svg viewBox="0 0 20 20" aria-hidden="true" className="docs-lens">
        <circle cx="8.5" cy="8.5" r="5.5" />
        <path d="m12.8 12.8 4.7 4.7" />
      </svg>
      <span className="docs-search-word">{DOCS_WORDS.searchShort}</span>
      <span aria-hidden="true" className="docs-keys">
        <kbd>Ctrl</kbd> <kbd>K</kbd>
      </span>
    </button>
  )
}

/** Also marks the parent of the current page, such as the list of decisions above a decision. */
function ariaCurrent(path: string, current: string | undefined): 'page' | 'true' | undefined {
  if (path === current) return 'page'
  return current?.startsWith(`${path}/`) ? 'true' : undefined
}
