import type { CampaignFile } from '#contract/campaign-file.ts'

/** The part of the campaign that the application needs, embedded as JSON in `<script id="campaign">`. */
export type AppCampaign = Pick<CampaignFile, 'id' | 'name' | 'token' | 'chain' | 'links' | 'airdrop'> & {
  texts: Pick<CampaignFile['texts'], 'mission' | 'wish' | 'risk' | 'airdrop' | 'airdropRules'>
}

export function toAppCampaign(file: CampaignFile): AppCampaign {
  const { id, name, token, chain, links, airdrop, texts } = file
  const { mission, wish, risk, airdrop: airdropText, airdropRules } = texts
  const appTexts = { mission, wish, risk, airdrop: airdropText, airdropRules }
  return { id, name, token, chain, links, airdrop, texts: appTexts }
}
