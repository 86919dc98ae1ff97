import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { pageList } from './page-list.ts'

type Pages = { current: number; total: number; onPage: (page: number) => void }
type Words = { nav: string; previous: string; next: string }
type PagerWords = Words & { place: (values: { current: number; total: number }) => string }
type PageNumbersWords = Words & { page: (values: { page: number }) => string }

/** Previous, "Page 2 of 5", next. Nothing if there is only one page. */
export function Pager({ words, ...pages }: Pages & { words: PagerWords }) {
  return (
    <Steps words={words} {...pages}>
      <span className="figures text-sm" aria-live="polite">
        {words.place({ current: pages.current, total: pages.total })}
      </span>
    </Steps>
  )
}

/** Previous, page numbers, next. Nothing if there is only one page. */
export function PageNumbers({ words, ...pages }: Pages & { words: PageNumbersWords }) {
  return (
    <Steps words={words} {...pages}>
      <ol className="flex flex-wrap items-center justify-center gap-1 max-sm:-order-1 max-sm:w-full">
        {pageList(pages.current, pages.total).map((item) => (
          <li key={item}>
            {typeof item === 'number' ? (
              <Button
                variant={item === pages.current ? 'secondary' : 'quiet'}
                size="compact"
                className="min-w-11 figures lg:min-w-8"
                title={words.page({ page: item })}
                aria-current={item === pages.current ? 'page' : undefined}
                onClick={() => pages.onPage(item)}
              >
                {item}
              </Button>
            ) : (
              <span className="inline-block min-w-6 text-center text-ink-soft">…</span>
            )}
          </li>
        ))}
      </ol>
    </Steps>
  )
}

function Steps({ words, current, total, onPage, children }: Pages & { words: Words; children: ReactNode }) {
  if (total <= 1) return null
  const step = (page: number, label: string) => (
    <Button
      variant="secondary"
      size="compact"
      disabled={page < 1 || page > total}
      onClick={() => onPage(page)}
    >
      {label}
    </Button>
  )
  return (
    <nav aria-label={words.nav} className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      {step(current - 1, words.previous)}
      {children}
      {step(current + 1, words.next)}
    </nav>
  )
}
