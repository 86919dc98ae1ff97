import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Config } from '../config.ts'
import type { HttpClient } from '../platform/http-client.ts'
import { claimItself } from './claim-itself.ts'
import type { Source } from './finding.ts'
import { postSource } from './post.ts'
import { telegramSource } from './telegram.ts'
import { walletSource } from './wallet.ts'

export type Addresses = Pick<
  Config,
  'oembedUrl' | 'telegramApiUrl' | 'telegramBotToken' | 'telegramClientId' | 'chainRpcUrl'
>

/** Everywhere that is looked for a claim. */
export function createSources(
  outbound: HttpClient,
  at: Addresses,
  campaign: CampaignFile,
): readonly Source[] {
  return [
    claimItself(campaign),
    postSource(outbound, at.oembedUrl, campaign),
    telegramSource(outbound, at, campaign),
    walletSource(outbound, at.chainRpcUrl, campaign),
  ]
}
