import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '../deps.ts'
import { checkClaim } from '../evidence/check-claim.ts'
import type { Source } from '../evidence/finding.ts'
import { CHECK_JOB } from '../evidence/start-checks.ts'
import { createSources } from '../evidence/sources.ts'
import { runDue } from '../platform/jobs.ts'
import { createHttpClient } from '../platform/http-client.ts'

const NOWHERE = 'http://127.0.0.1:1'

/** The sources of a server without a way out: what needs the network cannot be told. */
export function offlineSources(campaign: CampaignFile): readonly Source[] {
  const at = {
    oembedUrl: NOWHERE,
    telegramApiUrl: NOWHERE,
    telegramBotToken: undefined,
    telegramClientId: '123456',
    chainRpcUrl: NOWHERE,
  }
  return createSources(createHttpClient({ allow: [] }), at, campaign)
}

/** Does every check that is due, as such a server would. */
export function runClaimChecks(deps: Deps): Promise<number> {
  const sources = offlineSources(deps.campaign)
  return runDue(deps.db, CHECK_JOB, (job) => checkClaim(deps, sources, job))
}
