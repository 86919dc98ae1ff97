import type { CampaignFile } from '#contract/campaign-file.ts'
import type { HasCampaign } from '#server/domain/campaign/live-campaign.ts'
import type { PublicAnswer } from '#server/platform/http/public-answers/answer.ts'
import type { Source } from '#server/platform/http/public-answers/public-answers.ts'

type Rendered = { campaign: CampaignFile; answer: Promise<PublicAnswer>; ready?: PublicAnswer }

/**
 * A source whose answer changes with the settings of the campaign only. Simultaneous visitors share the
 * rendering.
 */
export function campaignSource(
  live: HasCampaign,
  render: (campaign: CampaignFile) => Promise<PublicAnswer>,
): Source {
  let rendered: Rendered | undefined
  return {
    current: () => (rendered?.campaign === live.campaign ? rendered.ready : undefined),
    read() {
      const { campaign } = live
      if (rendered?.campaign === campaign) return rendered.answer
      const rendering: Rendered = { campaign, answer: render(campaign) }
      rendered = rendering
      rendering.answer.then(
        (answer) => (rendering.ready = answer),
        () => rendered === rendering && (rendered = undefined),
      )
      return rendering.answer
    },
  }
}
