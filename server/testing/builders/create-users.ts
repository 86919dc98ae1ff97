import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Role } from '#contract/entities.ts'
import { readEmail, lookalikeKey } from '#server/domain/accounts/validate-fields.ts'
import type { Database } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import { newReferralCode } from '#server/domain/accounts/registration/verify-email.ts'
import type { TestApi } from '../api.ts'

export type TestUser = { id: string; username: string; email: string; referralCode: string; token: string }

export type UserOptions = {
  /** The inviter's user id. */
  referredBy?: string
  role?: Role
  username?: (index: number) => string
  email?: (index: number) => string
  passwordHash?: string
}

type Few = [
  [],
  [TestUser],
  [TestUser, TestUser],
  [TestUser, TestUser, TestUser],
  [TestUser, TestUser, TestUser, TestUser],
  [TestUser, TestUser, TestUser, TestUser, TestUser],
  [TestUser, TestUser, TestUser, TestUser, TestUser, TestUser],
]
/** A tuple for a literal count up to six, so that a test can destructure it. Otherwise a list. */
export type Users<Count extends number> = `${Count}` extends keyof Few ? Few[Count] : TestUser[]

/** A hash that matches no password. */
export const NO_PASSWORD = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

// Random, because other processes may use the same database. Nine digits, so that names sort by batch.
let batches = randomInt(100_000_000, 900_000_000)

/** Verified users with a session, without registering. To log in, they also need a `passwordHash`. */
export async function createUsers<Count extends number>(
  db: Database,
  campaignId: string,
  count: Count,
  options: UserOptions = {},
): Promise<Users<Count>> {
  const { passwordHash = NO_PASSWORD, referredBy = null, role = 'user' } = options
  batches += 1
  const startedAt = Date.now()
  const users = Array.from({ length: count }, (_, index): TestUser => {
    const username = options.username?.(index) ?? `c${batches}m${index}`
    const email = options.email?.(index) ?? `${username}@crowd.example`
    const referralCode = newReferralCode()
    // A millisecond apart, so that ids sort in this order.
    return { id: newId(startedAt + index), username, email, referralCode, token: newToken() }
  })
  // A single statement takes a sixth of the time of four, and most tests create users. Within it, `users`
  // does not contain the new ones yet.
  await sql`
    with member as (
      select * from jsonb_to_recordset(${JSON.stringify(users.map(asRow))})
        as m (id uuid, username text, email text, canonical text, code text, key text, hash text)),
    created as (
      insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code, referred_by, role)
      select id, username, email, lower(email), canonical, ${passwordHash}, code, ${referredBy}::uuid, ${role}
      from member returning id, role, banned_at),
    named as (insert into usernames (key, user_id) select key, id from member),
    logged_in as (insert into sessions (token_hash, user_id) select decode(hash, 'hex'), id from member)
    insert into standings (campaign_id, user_id, listed)
    select ${campaignId}, id, role = 'user' and banned_at is null
    from (select * from created union all select id, role, banned_at from users) everyone
    where not exists (select from standings where campaign_id = ${campaignId} and user_id = everyone.id)
    order by id on conflict do nothing`.execute(db)
  return users
}

/** Takes a fifth of the time of `administrator()`, who gets a password, logs in and is mailed about that. */
export async function createAdmin({ db, deps }: Pick<TestApi, 'db' | 'deps'>): Promise<TestUser> {
  const [admin] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  return admin
}

const asRow = ({ id, username, email, referralCode: code, token }: TestUser) => ({
  id,
  username,
  email,
  canonical: readEmail(email).canonical,
  code,
  key: lookalikeKey(username),
  hash: hashToken(token).toString('hex'),
})
