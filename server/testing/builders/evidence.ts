import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '#server/deps.ts'
import { checkClaim } from '#server/domain/evidence/check-claim.ts'
import type { Source } from '#server/domain/evidence/finding.ts'
import { CHECK_JOB } from '#server/domain/evidence/start-checks.ts'
import { createSources } from '#server/domain/evidence/sources.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'

const UNREACHABLE = 'http://127.0.0.1:1'

/** Evidence sources of a server without outbound network. Their checks end in `could_not_tell`. */
export function offlineSources(campaign: CampaignFile): readonly Source[] {
  const urls = {
    oembedUrl: UNREACHABLE,
    telegramApiUrl: UNREACHABLE,
    telegramBotToken: undefined,
    telegramClientId: '123456',
    chainRpcUrl: UNREACHABLE,
  }
  return createSources(createHttpClient({ allow: [] }), urls, campaign)
}

export function runClaimChecks(deps: Deps): Promise<number> {
  const sources = offlineSources(deps.campaign)
  return runDue(deps.db, CHECK_JOB, (job) => checkClaim(deps, sources, job))
}
