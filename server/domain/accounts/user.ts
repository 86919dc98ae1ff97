import { sql } from 'kysely'
import type { User, Role } from '#contract/entities.ts'
import type { Locale } from '#contract/locales.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { plannedOnce } from '#server/platform/database/planned-once.ts'
import { asTask, type ClaimRow, PROOF_COLUMNS } from '../claims/claim.ts'
import { latestClaim } from '../claims/latest-claim.ts'

/** @throws if the account is unknown. */
export async function readUser(db: Database | Tx, campaignId: string, userId: string): Promise<User> {
  const [row] = await readRows(plannedOnce(db), campaignId, [userId]) // cheaper: called often
  if (!row) throw new Error(`There is no user ${userId}.`)
  return asUser(row)
}

/**
 * The known accounts in the order of `userIds`, each with the revision of its latest claim (0 without a
 * claim).
 */
export async function readClaimants(
  db: Database,
  campaignId: string,
  userIds: readonly string[],
): Promise<{ user: User; revision: number }[]> {
  const rows = await readRows(db, campaignId, userIds)
  return rows.map((row) => ({ user: asUser(row), revision: row.revision ?? 0 }))
}

async function readRows(db: Database | Tx, campaignId: string, userIds: readonly string[]): Promise<Row[]> {
  if (userIds.length === 0) return []
  const rows = await selectUsers(db, campaignId).where('u.id', 'in', userIds).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return userIds.flatMap((id) => byId.get(id) ?? [])
}

function selectUsers(db: Database | Tx, campaignId: string) {
  return db
    .selectFrom('users as u')
    .leftJoin('standings as s', (join) =>
      join.onRef('s.user_id', '=', 'u.id').on('s.campaign_id', '=', campaignId),
    )
    .leftJoinLateral(
      () => latestClaim(campaignId, sql.ref('u.id')).as('c'),
      (join) => join.onTrue(),
    )
    .select(['u.id', 'u.username', 'u.email', 'u.referral_code', 'u.role'])
    .select(['s.pf', 's.pls', 's.referral', 's.total'])
    .select(PROOF_COLUMNS.map((column) => `c.${column}` as const))
    .select(['c.id as claim_id', 'c.status', 'c.reason', 'c.held_for', 'c.revision'])
    .select([creditedFor('pf').as('claim_pf'), creditedFor('pls').as('claim_pls')])
    .select(
      sql<number>`(select count(*) from users i join claims ic on ic.user_id = i.id
        where i.referred_by = u.id and ic.campaign_id = ${campaignId} and ic.status = 'approved')`.as(
        'referral_count',
      ),
    )
}

/** What the ledger credits for the claim `c`, in the token's points (`pf`) or the coin's (`pls`). */
const creditedFor = (kind: 'pf' | 'pls') =>
  sql<number>`coalesce((select sum(amount) from ledger l
    where l.claim_id = c.id and l.user_id = u.id and l.kind = ${sql.lit(kind)}), 0)::int8`

type Row = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number]

/** The API's `taskId` is the latest claim itself, not an id. */
function asUser(row: Row): User {
  const claim = claimOf(row)
  return {
    _id: row.id,
    username: row.username,
    email: row.email,
    referralCode: row.referral_code,
    role: row.role as Role,
    isTaskCompleted: claim !== null && row.status !== 'rejected',
    referralCount: row.referral_count,
    referralReward: row.referral ?? 0,
    pfPoints: row.pf ?? 0,
    plsPoints: row.pls ?? 0,
    totalPoints: row.total ?? 0,
    taskId: claim,
  }
}

function claimOf(row: Row): User['taskId'] {
  const { claim_id: id, claim_pf: pf, claim_pls: pls } = row
  if (id === null) return null
  // The left join types all of the claim's columns as nullable; in a row with a claim, they are a `ClaimRow`.
  return asTask({ ...(row as Row & ClaimRow), id, pf, pls })
}

export async function chooseLocale(db: Database, userId: string, locale: Locale): Promise<void> {
  await db
    .updateTable('users')
    .set({ locale })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
}

export function findByEmail(db: Database | Tx, emailKey: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'password_hash'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
}
