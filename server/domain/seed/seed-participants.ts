import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { skeletonOf } from '../accounts/rules.ts'
import { newReferralCode } from '../accounts/registration/verify-email.ts'
import type { Deps } from '#server/deps.ts'
import { announce } from '../events/announce.ts'
import { record } from '../journal/record.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { addToLeaderboard, compactBoardCounts } from '../ledger/board.ts'
import { fakePerson, SEEDED_DOMAIN } from './fake-people.ts'
import { type Person, seedClaims } from './seed-claims.ts'

/** Counts seeded and real participants. */
export function countParticipants(db: Database): Promise<{ seeded: number; real: number }> {
  const isSeeded = sql<boolean>`email_key like ${`%.${SEEDED_DOMAIN}`}`
  return db
    .selectFrom('users')
    .select(sql<number>`count(*) filter (where ${isSeeded})`.as('seeded'))
    .select(sql<number>`count(*) filter (where not ${isSeeded})`.as('real'))
    .where('role', '=', 'user')
    .executeTakeFirstOrThrow()
}

type SeedOptions = Pick<Deps, 'db' | 'campaign'> & {
  /** The hash of the password that all of them share. */
  passwordHash: string
}

/** Participants per transaction: few enough not to hold up a live server. */
const BATCH = 500

/**
 * Adds made-up participants with referrals, and claims while slots are left. Numbering continues after earlier
 * seedings.
 */
export async function seedParticipants(
  { db, campaign, passwordHash }: SeedOptions,
  count: number,
): Promise<void> {
  const { seeded } = await countParticipants(db)
  const dateAt = spreadOver(campaign)
  const people: Person[] = []
  for (let number = seeded; number < seeded + count; number += 1) {
    const { invitedBy, joinedAt, claimedAt, ...person } = fakePerson(number)
    const inviter = invitedBy === undefined ? undefined : people[Math.floor(invitedBy * people.length)]
    people.push({
      ...person,
      id: newId(),
      inviter,
      joinedAt: dateAt(joinedAt),
      claimedAt: dateAt(claimedAt),
      paid: 0,
    })
  }
  for (let from = 0; from < count; from += BATCH) {
    const batch = people.slice(from, from + BATCH)
    await inTransaction(db, async (tx) => {
      await insertUsers(tx, batch, passwordHash)
      await addToLeaderboard(tx, campaign.id, ...batch.map(({ id }) => id))
      await seedClaims(tx, campaign, batch)
      await record(tx, { actor: null, action: 'participants.seeded', after: { participants: batch.length } })
      await announce(tx, 'slots')
      await announce(tx, 'leaderboard')
    })
  }
  await compactBoardCounts(db)
}

const DAY = 24 * 3600 * 1000

/** Maps a fraction to a date since the campaign opened, at most two months ago. */
function spreadOver({ airdrop }: CampaignFile): (fraction: number) => Date {
  const now = Date.now()
  const opened = Date.parse(airdrop.opensAt)
  const start = opened < now ? Math.max(opened, now - 60 * DAY) : now - DAY
  return (fraction) => new Date(start + fraction * (now - start))
}

async function insertUsers(tx: Tx, people: readonly Person[], passwordHash: string): Promise<void> {
  await tx
    .insertInto('users')
    .values(
      people.map(({ id, username, email, inviter, joinedAt }) => ({
        id,
        username,
        email,
        email_key: email,
        canonical_email: email,
        password_hash: passwordHash,
        referral_code: newReferralCode(),
        referred_by: inviter?.id ?? null,
        created_at: joinedAt,
      })),
    )
    .execute()
  await tx
    .insertInto('usernames')
    .values(people.map(({ id, username }) => ({ key: skeletonOf(username), user_id: id })))
    .execute()
}
