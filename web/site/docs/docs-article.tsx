import { DOCS_PATH } from '#web/docs-path.ts'
import type { DocsPage, Documentation } from './documentation.ts'
import { DocsLayout } from './docs-layout.tsx'
import { DOCS_WORDS } from './words.ts'

export function DocsArticle({ docs, page }: { docs: Documentation; page: DocsPage }) {
  const index = docs.pages.indexOf(page)
  const { title, section, description, headings, html } = page
  // A record of a design decision is in no section, and its description would repeat its first paragraph.
  const hasLead = docs.sections.some(({ pages }) => pages.includes(page.path))
  return (
    <DocsLayout docs={docs} current={page.path}>
      <article className="docs-article">
        <header>
          <p className="docs-section">{section}</p>
          <h1 className="text-3xl">{title}</h1>
          {hasLead && <p className="docs-lead">{description}</p>}
        </header>
        {headings.length > 1 && <OnThisPage headings={headings} />}
        <div className="docs-text" dangerouslySetInnerHTML={{ __html: html }} />
        <nav aria-label={DOCS_WORDS.neighbors} className="docs-neighbors">
          <Neighbor page={docs.pages[index - 1]} label={DOCS_WORDS.previous} rel="prev" />
          <Neighbor page={docs.pages[index + 1]} label={DOCS_WORDS.next} rel="next" />
        </nav>
      </article>
    </DocsLayout>
  )
}

function OnThisPage({ headings }: Pick<DocsPage, 'headings'>) {
  return (
    <nav aria-label={DOCS_WORDS.onThisPage} className="docs-toc">
      <p aria-hidden="true" className="docs-toc-title">
        {DOCS_WORDS.onThisPage}
      </p>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} data-level={level}>
            <a href={`#${id}`} className="docs-toc-link">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Neighbor({ page, label, rel }: { page: DocsPage | undefined; label: string; rel: 'prev' | 'next' }) {
  // If there is no previous page, something has to keep the next page in the second column.
  if (!page) return rel === 'prev' ? <span /> : null
  return (
    <a href={page.path} rel={rel} className="docs-neighbor" data-direction={rel}>
      <span className="docs-neighbor-label">{label}</span>
      <span className="docs-neighbor-name">{page.name}</span>
    </a>
  )
}

export function DocsNotFound({ docs }: { docs: Documentation }) {
  const { title, text, home } = DOCS_WORDS.notFound
  return (
    <DocsLayout docs={docs} current={undefined}>
      <article className="docs-article">
        <header>
          <h1 className="text-3xl">{title}</h1>
          <p className="docs-lead">{text}</p>
        </header>
        <div className="docs-text">
          <p>
            <a href={DOCS_PATH}>{home}</a>
          </p>
        </div>
      </article>
    </DocsLayout>
  )
}
