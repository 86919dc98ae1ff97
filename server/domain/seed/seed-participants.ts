import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { DIRECT, INVITATION } from '#contract/visits.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { lookalikeKey } from '../accounts/validate-fields.ts'
import { newReferralCode } from '../accounts/registration/verify-email.ts'
import type { Deps } from '#server/deps.ts'
import { announce } from '../events/announce.ts'
import { NO_CAMPAIGN } from '../insights/counts.ts'
import { dayOf } from '../insights/range.ts'
import { record } from '../journal/record.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { addToLeaderboard, compactBoardCounts } from '../ledger/board.ts'
import { fakePerson, SEEDED_DOMAIN } from './fake-people.ts'
import { type Inviter, type Person, seedClaims } from './seed-claims.ts'

const IS_SEEDED = sql<boolean>`email_key like ${`%.${SEEDED_DOMAIN}`}`

const participants = (db: Database) =>
  db.selectFrom('users').where('role', '=', 'user').where('deleted_at', 'is', null)

export function countParticipants(db: Database): Promise<{ seeded: number; real: number }> {
  return participants(db)
    .select(sql<number>`count(*) filter (where ${IS_SEEDED})`.as('seeded'))
    .select(sql<number>`count(*) filter (where not ${IS_SEEDED})`.as('real'))
    .executeTakeFirstOrThrow()
}

type SeedOptions = Pick<Deps, 'db' | 'campaign'> & {
  /** The hash of the password that all made-up participants share. */
  passwordHash: string
  batchSize?: number
}

/** Participants added in one transaction: few enough not to hold up a live server. */
const BATCH_SIZE = 1_000

/** Adds made-up participants with referrals, and claims while slots are left. Continues earlier numbering. */
export async function seedParticipants(
  { db, campaign, passwordHash, batchSize = BATCH_SIZE }: SeedOptions,
  count: number,
): Promise<void> {
  const firstNumber = await nextNumber(db)
  const dateAt = spreadOver(campaign)
  const earlier: Inviter[] = []
  for (let done = 0; done < count; done += batchSize) {
    const [from, size] = [firstNumber + done, Math.min(batchSize, count - done)]
    const batch = Array.from({ length: size }, (_, index) => newPerson(from + index, dateAt, earlier))
    await inTransaction(db, async (tx) => {
      // Faster, and a crash that loses the last batches does no harm.
      await sql`set local synchronous_commit = off`.execute(tx)
      await insertUsers(tx, batch, passwordHash)
      await seedVisits(tx, batch)
      await addToLeaderboard(tx, campaign.id, ...batch.map(({ id }) => id))
      await seedClaims(tx, campaign, batch)
      await record(tx, { actor: null, action: 'participants.seeded', after: { participants: size } })
      await announce(tx, 'slots')
      await announce(tx, 'leaderboard')
    })
  }
  await compactBoardCounts(db)
}

/** Counts all that were ever seeded: names of deleted ones stay taken. Uses the index `journal_by_action`. */
async function nextNumber(db: Database): Promise<number> {
  const { number } = await db
    .selectFrom('journal')
    .select(sql<number>`coalesce(sum((after->>'participants')::int), 0)::int`.as('number'))
    .where('action', '=', 'participants.seeded')
    .executeTakeFirstOrThrow()
  return number
}

type DateAt = (fraction: number) => Date

/** @param earlier possible inviters; the new participant is appended. */
function newPerson(number: number, dateAt: DateAt, earlier: Inviter[]): Person {
  const { inviterFraction, joinedFraction, claimedFraction, ...person } = fakePerson(number)
  const inviter =
    inviterFraction === undefined ? undefined : earlier[Math.floor(inviterFraction * earlier.length)]
  const id = newId()
  earlier.push({ id, rewards: 0 })
  return { ...person, id, inviter, joinedAt: dateAt(joinedFraction), claimedAt: dateAt(claimedFraction) }
}

const DAY_MS = 24 * 3600 * 1000

/** Spreads times from the opening, at most 60 days ago, until now. Before the opening, over the last day. */
function spreadOver({ airdrop }: CampaignFile): DateAt {
  const now = Date.now()
  const opened = Date.parse(airdrop.opensAt)
  const start = opened < now ? Math.max(opened, now - 60 * DAY_MS) : now - DAY_MS
  return (fraction) => new Date(start + fraction * (now - start))
}

/** Passes arrays: parsing thousands of parameters would take longer. Made-up emails are their own keys. */
async function insertUsers(tx: Tx, people: readonly Person[], passwordHash: string): Promise<void> {
  const each = <T>(valueOf: (person: Person) => T) => people.map(valueOf)
  await sql`
    insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code, referred_by, created_at,
      arrived_from)
    select id, username, email, email, email, ${passwordHash}, code, inviter, joined_at, arrived_from
    from unnest(${each(({ id }) => id)}::uuid[], ${each(({ username }) => username)}::text[],
      ${each(({ email }) => email)}::text[], ${each(newReferralCode)}::text[],
      ${each(({ inviter }) => inviter?.id ?? null)}::uuid[], ${each(({ joinedAt }) => joinedAt)}::timestamptz[],
      ${each(({ arrivedFrom }) => arrivedFrom ?? null)}::text[]
    ) as person (id, username, email, code, inviter, joined_at, arrived_from)`.execute(tx)
  await sql`
    insert into usernames (key, user_id)
    select * from unnest(${each(({ username }) => lookalikeKey(username))}::text[],
      ${each(({ id }) => id)}::uuid[])`.execute(tx)
}

/** Visits per made-up participant, in turn: most visitors do not register. */
const VISITS = [3, 9, 5, 14, 4, 7]
const VIEWS_PER_VISIT = 3

type Count = { measure: string; day: string; part: string; amount: number }

/** Counts the visits, registrations and finished tasks that the participants would have caused. */
async function seedVisits(tx: Tx, people: readonly Person[]): Promise<void> {
  const counts = new Map<string, Count>()
  const add = (measure: string, at: Date, part: string, amount: number) => {
    const day = dayOf(at)
    const key = `${measure} ${day} ${part}`
    counts.set(key, { measure, day, part, amount: amount + (counts.get(key)?.amount ?? 0) })
  }
  for (const { number, joinedAt, claimedAt, inviter, arrivedFrom, claimStatus } of people) {
    const arrival = inviter ? INVITATION : (arrivedFrom ?? DIRECT)
    const visits = VISITS[number % VISITS.length] ?? 0
    add('visits', joinedAt, arrival, visits)
    add('views', joinedAt, '/', visits * VIEWS_PER_VISIT)
    // One in five registered twice, and never verified the other registration.
    add('registered', joinedAt, arrival, number % 5 === 0 ? 2 : 1)
    // Every claimant finished the tasks, and so did a quarter of all others.
    if (claimStatus || number % 4 === 0) add('tasks', claimedAt, '', 1)
  }
  const rows = [...counts.values()].map(
    ({ measure, day, part, amount }) =>
      sql`(${sql.lit(NO_CAMPAIGN)}, ${measure}, ${day}::date, ${part}, ${amount}::bigint)`,
  )
  await sql`
    insert into daily_counts (campaign_id, measure, day, part, amount) values ${sql.join(rows)}`.execute(tx)
}

/** Deletes the made-up participants, reverses their points and frees their slots. @returns how many. */
export async function removeSeeded(deps: Pick<Deps, 'db' | 'keys' | 'runSoon'>): Promise<number> {
  const seeded = participants(deps.db).select('id').where(IS_SEEDED).orderBy('id').limit(BATCH_SIZE)
  let removed = 0
  for (;;) {
    const batch = await seeded.execute()
    if (batch.length === 0) return removed
    for (const { id: userId } of batch) await deleteAccount(deps, { userId, by: null, isMadeUp: true })
    removed += batch.length
  }
}
