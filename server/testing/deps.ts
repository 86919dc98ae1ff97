import { pino } from 'pino'
import type { CampaignFile } from '#contract/campaign-file.ts'
import defaultCampaign from '#campaign'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database.ts'
import { createPasswordHasher } from '../platform/password-hash.ts'
import { deriveKeys } from '../platform/secrets.ts'

/** What verbs work with, on a test's own database. */
export async function testDeps(db: Database, campaign: CampaignFile = defaultCampaign): Promise<Deps> {
  await db
    .insertInto('campaigns')
    .values({ id: campaign.id, slots_total: campaign.airdrop.slots })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return {
    db,
    keys: deriveKeys('a secret of the tests, long enough to be one'),
    hasher: createPasswordHasher(),
    campaign,
    log: pino({ level: 'silent' }),
    wake: () => {},
  }
}
