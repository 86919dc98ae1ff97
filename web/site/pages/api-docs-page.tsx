import { API_BASE } from '#contract/protocol/endpoint.ts'
import { CHALLENGE_EXAMPLE, OPENAPI_PATH } from '#web/content/site/api-docs.ts'
import { API_DOCS } from '#messages/api-docs.js'
import { ROUTES } from '#web/routes.ts'
import { ClauseRow } from '../sections/clauses.tsx'
import { PageHeader } from '../sections/page-header.tsx'
import type { PageProps } from '../site-context.ts'

/** The API's rules and a list of its calls, which `api-reader.ts` replaces if scripts run. */
export function ApiDocsPage({ campaign, endpoints }: Pick<PageProps, 'campaign' | 'endpoints'>) {
  return (
    <>
      <PageHeader campaign={campaign} path={ROUTES.apiDocs.path} title={API_DOCS.title}>
        <p>{withCode(API_DOCS.lead({ base: API_BASE }))}</p>
        <p>
          <a href={OPENAPI_PATH} className="standalone-link text-base">
            {API_DOCS.document}
          </a>
        </p>
      </PageHeader>
      <div className="page pt-10 lg:pt-14">
        <ClauseRow number={1} title={API_DOCS.access}>
          <p>{withCode(API_DOCS.accessText)}</p>
        </ClauseRow>
        <ClauseRow number={2} title={API_DOCS.refusals}>
          <p>{withCode(API_DOCS.refusalsText)}</p>
        </ClauseRow>
        <section aria-labelledby="calls" className="border-t border-hairline py-7">
          <h2 id="calls" className="text-xl">
            {API_DOCS.calls}
          </h2>
          <div data-api-reader className="mt-4">
            <ul>
              {endpoints.map(({ method, path, summary }) => (
                <li key={method + path} className="border-t border-hairline py-3">
                  <code className="figures text-sm font-semibold wrap-anywhere">
                    {method} {path}
                  </code>
                  <p className="max-w-[80ch] text-sm text-ink-soft">{withCode(summary)}</p>
                </li>
              ))}
            </ul>
          </div>
        </section>
        <ClauseRow number={3} title={API_DOCS.challenge} id="challenge">
          {[API_DOCS.challengeText.solve, API_DOCS.challengeText.valid].map((paragraph) => (
            <p key={paragraph}>{withCode(paragraph)}</p>
          ))}
          <pre className="figures mt-4 bg-sheet p-4 text-xs wrap-anywhere whitespace-pre-wrap">
            <code>{CHALLENGE_EXAMPLE}</code>
          </pre>
        </ClauseRow>
      </div>
    </>
  )
}

function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
}
