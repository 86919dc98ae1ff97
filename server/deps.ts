import type { FastifyBaseLogger } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { LiveCampaign } from './domain/campaign/live-campaign.ts'
import type { Database } from './platform/database/database.ts'
import type { PublicReads } from './platform/database/public-reads.ts'
import type { PasswordHasher } from './platform/passwords/password-hash.ts'
import type { Keys } from './platform/secrets.ts'
import type { SecurityEvents } from './platform/log/security-events.ts'

/** Dependencies of every feature's operations. Built once by serve.ts; tests pass their own. */
export type Deps = {
  db: Database
  /** For data that is the same for all visitors, such as the leaderboard. A replica may answer. */
  publicReads: PublicReads
  keys: Keys
  hasher: PasswordHasher
  /** Settings change while the server runs: read it at call time, and do not copy these dependencies. */
  readonly campaign: CampaignFile
  liveCampaign: LiveCampaign
  log: FastifyBaseLogger
  security: SecurityEvents
  /** Runs a recurring job of this node soon, by its name in schedule.ts. */
  runSoon: (jobName: string) => void
}
