import type { CampaignFile } from '#contract/campaign-file.ts'

const ELEMENT_ID = 'campaign'

/** What the application needs of the campaign; the shell carries it as JSON in `<script id="campaign">`. */
export type AppCampaign = Pick<CampaignFile, 'id' | 'name' | 'token' | 'chain' | 'links' | 'airdrop'> & {
  texts: Pick<CampaignFile['texts'], 'mission' | 'wish' | 'risk' | 'airdrop' | 'airdropRules'>
}

/** The part of the campaign file that the application's shell carries. */
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

/** The campaign of this page. The server wrote and validated it, so it is taken as it is. */
export function readAppCampaign(): AppCampaign {
  const element = document.getElementById(ELEMENT_ID)
  if (!element?.textContent) throw new Error('The page carries no campaign')
  return JSON.parse(element.textContent) as AppCampaign
}
