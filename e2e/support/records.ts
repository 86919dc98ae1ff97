import { sql } from 'kysely'
import type { Role } from '#contract/accounts/role.ts'
import { readUser } from '#server/domain/accounts/user.ts'
import { type Database, openDatabase, openPool } from '#server/platform/database/database.ts'
import { openEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { createPasswordHasher } from '#server/platform/passwords/password-hash.ts'
import campaign from '#server/testing/campaign.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import type { ProductProcess } from './operator.ts'
import { newAddress, newPerson, type Participant } from './people.ts'

/** Long enough for an administrator. */
const PASSWORD = 'umbrella gravel lantern'

export type Given = {
  role?: Role
  email?: string
  /** The inviter's code. */
  referralCode?: string
}

/** What a test may write into the database of a running product. */
export type Records = {
  /** Creates an account with a session, because registering has tests of its own. */
  newAccount: (given?: Given) => Promise<Participant>
  /** Leaves so many slots free. */
  freeSlots: (count: number) => Promise<void>
  /**
   * Sets the total back to that of the campaign file, or to the slots taken if those are more: with a total
   * above the file's, the product would refuse to start.
   */
  resetSlots: () => Promise<void>
  /**
   * Makes a check of the token due; `late` also makes the last verdicts ten minutes older, longer than one
   * stands.
   */
  askChainAgain: (late?: 'late') => Promise<void>
}

export function recordsOf(product: ProductProcess): Records {
  let opening: ReturnType<typeof open> | undefined
  const opened = () => (opening ??= open(product))
  const newAccount: Records['newAccount'] = async ({ role = 'user', email, referralCode } = {}) => {
    const { db, campaignId, passwordHash } = await opened()
    const person = { ...newPerson(), password: PASSWORD, ...(email === undefined ? {} : { email }) }
    const referredBy = referralCode === undefined ? undefined : await inviterOf(db, referralCode)
    const [user] = await createUsers(db, campaignId, 1, {
      role,
      username: () => person.username,
      email: () => person.email,
      passwordHash,
      ...(referredBy === undefined ? {} : { referredBy }),
    })
    if (!user) throw new Error('createUsers returned no user.')
    const { id, token } = user
    return { ...person, token, user: await readUser(db, campaignId, id), from: newAddress() }
  }
  const freeSlots: Records['freeSlots'] = async (count) => {
    const { db } = await opened()
    await db
      .updateTable('campaigns')
      .set((row) => ({ slots_total: row('slots_taken', '+', count) }))
      .execute()
  }
  const resetSlots: Records['resetSlots'] = async () => {
    const { db } = await opened()
    await sql`update campaigns set slots_total = greatest(slots_taken, ${campaign.airdrop.slots})`.execute(db)
  }
  const askChainAgain: Records['askChainAgain'] = async (late) => {
    const { db } = await opened()
    if (late)
      await sql`update token_proofs set concluded_at = concluded_at - interval '10 minutes'`.execute(db)
    // Not while a check is under way, whose answer would not count then.
    await sql`
      update token_checks set asked_at = asked_at - interval '1 minute' where answered_at >= asked_at`.execute(
      db,
    )
  }
  return { newAccount, freeSlots, resetSlots, askChainAgain }
}

/** The database of a running product. */
export async function databaseOf({ dataDir }: Pick<ProductProcess, 'dataDir'>): Promise<Database> {
  const { url } = await openEmbeddedPostgres({ dataDir, log: () => {} })
  return openDatabase(openPool(url, () => {}, { max: 2, timeoutMs: 60_000 }))
}

async function open(product: ProductProcess) {
  const db = await databaseOf(product)
  const { id: campaignId } = await db.selectFrom('campaigns').select('id').executeTakeFirstOrThrow()
  return { db, campaignId, passwordHash: await createPasswordHasher().hash(PASSWORD) }
}

async function inviterOf(db: Database, referralCode: string): Promise<string> {
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', referralCode)
    .executeTakeFirstOrThrow()
  return id
}
