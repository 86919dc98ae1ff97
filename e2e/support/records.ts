import { sql } from 'kysely'
import type { Role } from '#contract/entities.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { checkToken as askChain } from '#contract/token-proofs/check-token.ts'
import { subjectOf } from '#contract/token-proofs/subject.ts'
import { readUser } from '#server/domain/accounts/user.ts'
import { createRpc } from '#server/domain/chain/rpc.ts'
import { runTokenCheck } from '#server/domain/token-proofs/run-token-check.ts'
import { type Database, openDatabase, openPool } from '#server/platform/database/database.ts'
import { openEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createPasswordHasher } from '#server/platform/passwords/password-hash.ts'
import campaign from '#server/testing/campaign.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import type { ProductProcess } from './product-process.ts'
import { newAddress, newPerson, type Participant } from './people.ts'

/** Administrators need a long password. */
const PASSWORD = 'umbrella gravel lantern'

export type AccountOptions = {
  role?: Role
  email?: string
  referralCode?: string
}

/** `hasExpired`: first makes the last results ten minutes older, so that the site no longer shows them. */
export type CheckOptions = { rpcUrl: string; hasExpired?: boolean }

/** What tests write into the database of a running product. */
export function recordsOf(product: ProductProcess) {
  let connecting: ReturnType<typeof connect> | undefined
  const connectOnce = () => {
    connecting ??= connect(product)
    return connecting
  }
  return {
    async newAccount({ role = 'user', email, referralCode }: AccountOptions = {}): Promise<Participant> {
      const { db, campaignId, passwordHash } = await connectOnce()
      const person = { ...newPerson(), password: PASSWORD, ...(email !== undefined && { email }) }
      const [{ id, token }] = await createUsers(db, campaignId, 1, {
        role,
        username: () => person.username,
        email: () => person.email,
        passwordHash,
        ...(referralCode !== undefined && { referredBy: await inviterOf(db, referralCode) }),
      })
      return { ...person, token, user: await readUser(db, campaignId, id), from: newAddress() }
    },
    /** Sets the total so that this many slots are free. */
    async setFreeSlots(count: number) {
      const { db } = await connectOnce()
      await sql`update campaigns set slots_total = slots_taken + ${count}`.execute(db)
    },
    /**
     * Empties the waiting list, and sets the total to that of the campaign file, or to the taken slots if
     * they are more. With a total above the file's, the product would refuse to start.
     */
    async resetSlots() {
      const { db } = await connectOnce()
      await db.deleteFrom('waiting_list').execute()
      await sql`update campaigns
        set slots_total = greatest(slots_taken, ${campaign.airdrop.slots})`.execute(db)
    },
    /** Checks the token without waiting a minute since the last check, unless the product is checking it. */
    async checkToken(campaignFile: CampaignFile, { rpcUrl, hasExpired = false }: CheckOptions) {
      const { db } = await connectOnce()
      if (hasExpired)
        await sql`update token_proofs set concluded_at = concluded_at - interval '10 minutes'`.execute(db)
      // A check in progress keeps `asked_at`, by which its answer finds it.
      await sql`update token_checks set asked_at = asked_at - interval '1 minute'
        where answered_at >= asked_at`.execute(db)
      const rpc = createRpc(createHttpClient({ allow: [rpcUrl], timeoutMs: 20_000 }), rpcUrl)
      const deps = { db, campaign: campaignFile, log: createLog('silent') }
      await runTokenCheck(deps, () => askChain(rpc, subjectOf(campaignFile)))
    },
  }
}

async function connect(product: ProductProcess) {
  const db = await databaseOf(product)
  const { id: campaignId } = await db.selectFrom('campaigns').select('id').executeTakeFirstOrThrow()
  return { db, campaignId, passwordHash: await createPasswordHasher().hash(PASSWORD) }
}

/** Connects to the embedded PostgreSQL of a running product. */
export async function databaseOf({ dataDir }: Pick<ProductProcess, 'dataDir'>): Promise<Database> {
  const { url } = await openEmbeddedPostgres({ dataDir, log: () => {} })
  return openDatabase(openPool(url, { max: 2, timeoutMs: 60_000 }))
}

async function inviterOf(db: Database, referralCode: string): Promise<string> {
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', referralCode)
    .executeTakeFirstOrThrow()
  return id
}
