import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Config } from '#server/config/config.ts'
import type { HttpClient } from '#server/platform/outbound/http-client.ts'
import { createChainRpc } from '../chain/rpc.ts'
import { claimSource } from './offline-checks.ts'
import type { Source } from './finding.ts'
import { postSource } from './post.ts'
import { type TelegramConfig, telegramSource } from './telegram.ts'
import { walletOwnerSource, walletSource } from './wallet.ts'

export function createSources(
  http: HttpClient,
  config: TelegramConfig & Pick<Config, 'oembedUrl' | 'chainRpcUrl'>,
  campaign: CampaignFile,
): readonly Source[] {
  return [
    claimSource(campaign),
    postSource(http, config.oembedUrl, campaign),
    telegramSource(http, config, campaign),
    walletSource(createChainRpc(http, config.chainRpcUrl, campaign.chain.id), campaign),
    walletOwnerSource,
  ]
}
