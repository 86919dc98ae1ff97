import type { CampaignFile } from '#contract/campaign-file.ts'
import { ABOUT } from '#messages/pages.js'

/** The token's mission, such as a target price, beside the community's wish and the risk notice. */
export function Mission({ texts }: { texts: CampaignFile['texts'] }) {
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-8 lg:grid-cols-12">
      <div className="lg:col-span-7">
        <h2 className="label font-text">{ABOUT.missionLabel}</h2>
        <p className="mt-3 font-display text-3xl font-extrabold tracking-tight text-balance">
          {texts.mission}
        </p>
      </div>
      <aside className="border-s-[3px] border-accent ps-5 lg:col-span-5 lg:self-end">
        <p className="label">{ABOUT.wishLabel}</p>
        <p className="mt-2 font-medium">{texts.wish}</p>
        <p className="mt-2 text-sm text-ink-soft">{texts.risk}</p>
      </aside>
    </div>
  )
}
