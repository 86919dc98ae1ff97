import type { FastifyBaseLogger } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Database } from './platform/database.ts'
import type { PasswordHasher } from './platform/password-hash.ts'
import type { Keys } from './platform/secrets.ts'
import type { SecurityEvents } from './platform/security-events.ts'

/** What the verbs of every feature work with. Built once by main.ts; tests pass their own. */
export type Deps = {
  db: Database
  keys: Keys
  hasher: PasswordHasher
  campaign: CampaignFile
  log: FastifyBaseLogger
  security: SecurityEvents
  /** Asks recurring work of this node to run soon, by its name in schedule.ts. */
  wake: (work: string) => void
}
