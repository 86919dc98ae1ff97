import { argon2, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { CampaignFile } from '#contract/campaign-file.ts'
import defaultCampaign from './campaign.ts'
import type { Deps } from '../deps.ts'
import { createLiveCampaign } from '../domain/campaign/live-campaign.ts'
import type { Database } from '../platform/database/database.ts'
import { createLog } from '../platform/log/log.ts'
import { createPublicReads } from '../platform/database/public-reads.ts'
import { createPasswordHasher, type PasswordHasher, saltOf } from '../platform/passwords/password-hash.ts'
import { deriveKeys } from '../platform/secrets.ts'
import { createSecurityEvents } from '../platform/log/security-events.ts'
import { type TestDatabase, testDatabase } from './database/database.ts'

/** A node on its own database: the results of {@link testDeps} and {@link testDatabase}. */
export async function testNode(
  t: TestContext,
  campaign?: CampaignFile,
): Promise<TestDatabase & { deps: Deps }> {
  const database = await testDatabase(t)
  return { ...database, deps: await testDeps(database.db, campaign) }
}

const TEST_KEYS = deriveKeys('a secret of the tests, long enough to be one')

/** For rendering emails without a database. */
export const MAIL_CONTEXT = { campaign: defaultCampaign, publicUrl: 'https://site.example', keys: TEST_KEYS }

/** Dependencies with fast password hashes and {@link TEST_KEYS}, and a row for the campaign. */
export async function testDeps(
  db: Database,
  campaign: CampaignFile = defaultCampaign,
  log: Deps['log'] = createLog('silent'),
): Promise<Deps> {
  await db
    .insertInto('campaigns')
    .values({ id: campaign.id, slots_total: campaign.airdrop.slots })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const liveCampaign = createLiveCampaign(db, campaign)
  return {
    db,
    publicReads: createPublicReads(db),
    keys: TEST_KEYS,
    hasher: quickHasher(),
    get campaign() {
      return liveCampaign.campaign
    },
    liveCampaign,
    log,
    security: createSecurityEvents({ log, keys: TEST_KEYS }),
    runSoon: () => {},
  }
}

const argon2Async = promisify(argon2)
const PARAMETERS = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

/** argon2id with minimal memory. Its hashes count as outdated. `reuse`: a salt, or a hash with the salt. */
function quickHasher(): PasswordHasher {
  return {
    ...createPasswordHasher(),
    async hash(password, reuse = randomBytes(16)) {
      const salt = typeof reuse === 'string' ? saltOf(reuse) : reuse
      const tag = await argon2Async('argon2id', { message: password, nonce: salt, ...PARAMETERS })
      const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
      return `$argon2id$v=19$m=8,t=1,p=1$${saltText}$${tagText}`
    },
    async verifyDummy() {},
  }
}

/** The other node has its own connection and its own view of the campaign. */
export function depsOfAnotherNode(deps: Deps, db: Database): Deps {
  const liveCampaign = createLiveCampaign(db, deps.liveCampaign.file)
  return {
    ...deps,
    db,
    publicReads: createPublicReads(db),
    // Replaces the spread's copy of the campaign as it is at this moment.
    get campaign() {
      return liveCampaign.campaign
    },
    liveCampaign,
  }
}
