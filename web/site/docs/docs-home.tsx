import type { CampaignFile } from '#contract/campaign-file.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import { PageHeader } from '../sections/page-header.tsx'
import { pagesOf, SearchButton } from './docs-layout.tsx'
import type { Documentation } from './documentation.ts'

export function DocsHome({ docs, campaign }: { docs: Documentation; campaign: CampaignFile }) {
  return (
    <>
      <PageHeader campaign={campaign} path={DOCS_PATH} title={docs.title}>
        <p>{docs.lead}</p>
        <SearchButton />
      </PageHeader>
      <div className="docs-index page">
        {docs.sections.map((section, index) => (
          <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
            <div className="docs-index-head">
              <p aria-hidden="true" className="docs-index-number">
                {index + 1}
              </p>
              <h2 id={`${section.id}-title`} className="text-2xl">
                {section.title}
              </h2>
            </div>
            <ul>
              {pagesOf(docs, section).map(({ path, name, description }) => (
                <li key={path}>
                  <a href={path} className="docs-index-link">
                    {name}
                  </a>
                  <p>{description}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
