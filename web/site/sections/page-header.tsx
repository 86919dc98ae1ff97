import type { ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { PAGE_HEADER } from '#messages/pages.js'
import { NAVIGATION } from '#web/routes.ts'

type PageHeaderProps = { campaign: CampaignFile; path: string; title: string; children: ReactNode }

export function PageHeader({ campaign, path, title, children }: PageHeaderProps) {
  const number = NAVIGATION.findIndex((route) => route.path === path) + 1
  const { chain } = campaign
  return (
    <header className="page pt-6 lg:pt-8">
      <p className="figures flex justify-between gap-4 border-b border-hairline pb-3 text-xs text-ink-soft">
        <span>{number > 0 ? PAGE_HEADER.page({ number, total: NAVIGATION.length }) : PAGE_HEADER.back}</span>
        <bdi dir="ltr">{PAGE_HEADER.chain({ name: chain.name, id: chain.id })}</bdi>
      </p>
      <div className="grid gap-x-8 gap-y-6 pt-12 lg:grid-cols-12 lg:pt-20">
        <h1 className="text-3xl lg:col-span-7">{title}</h1>
        <div className="text-lg lg:col-span-5 lg:self-end">{children}</div>
      </div>
    </header>
  )
}
