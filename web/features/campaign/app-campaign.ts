import type { CampaignFile } from '#contract/campaign-file.ts'

const ELEMENT_ID = 'campaign'

/** The part of the campaign that the application needs; embedded as JSON in `<script id="campaign">`. */
export type AppCampaign = Pick<CampaignFile, 'id' | 'name' | 'token' | 'chain' | 'links' | 'airdrop'> & {
  texts: Pick<CampaignFile['texts'], 'mission' | 'wish' | 'risk' | 'airdrop' | 'airdropRules'>
}

/** Picks the part of the campaign file that is embedded in the page. */
export function toAppCampaign(file: CampaignFile): AppCampaign {
  const { id, name, token, chain, links, airdrop, texts } = file
  const { mission, wish, risk, airdrop: airdropText, airdropRules } = texts
  return {
    id,
    name,
    token,
    chain,
    links,
    airdrop,
    texts: { mission, wish, risk, airdrop: airdropText, airdropRules },
  }
}

/** The campaign embedded in this page. Not validated again: the server wrote it. */
export function readAppCampaign(): AppCampaign {
  const element = document.getElementById(ELEMENT_ID)
  if (!element?.textContent) throw new Error('The page contains no campaign')
  return JSON.parse(element.textContent) as AppCampaign
}
