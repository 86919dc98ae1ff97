import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import type { PeopleList } from '#contract/dashboard/people.ts'
import type { Deps } from '#server/deps.ts'
import { record } from '#server/domain/journal/record.ts'
import { type Cell, csvRow } from '#server/platform/csv.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { MAX_ID } from '#server/platform/database/ids.ts'
import type { ChangedBy } from '../accounts/roles/administrators.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { ACCOUNT_STATE } from './list-people.ts'

/** Few enough rows to stay within the statement timeout. */
const BATCH_SIZE = 1_000

const COLUMNS = (
  'id username email role state registered_at invited_by claim_status attempt wallet telegram x post ' +
  'submitted_at decided_at pf_points pls_points referral_points total_points'
).split(' ')
type Row = Record<string, Cell>

/** CSV, newest accounts first. The journal records the export. */
export async function exportPeople(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  list: PeopleList,
  by: ChangedBy,
): Promise<Readable> {
  const after = { campaign: campaign.id, list }
  await inTransaction(db, (tx) =>
    record(tx, { actor: by.userId, action: 'people.exported', after, network: by.network }),
  )
  return Readable.from(csvChunks(db, campaign.id, list))
}

export async function* csvChunks(db: Database, campaignId: string, list: PeopleList): AsyncGenerator<string> {
  yield csvRow(COLUMNS)
  let before = MAX_ID
  for (;;) {
    const { rows } = await batchOf(campaignId, list, before).execute(db)
    const batch = rows.filter(({ is_listed }) => is_listed)
    if (batch.length > 0)
      yield batch.map((row) => csvRow(COLUMNS.map((column) => row[column] ?? null))).join('')
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_SIZE) return
    before = String(last['id'])
  }
}

const isoTime = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** The next accounts, whether or not they are on the list. Uses the index `users_pkey`. */
const batchOf = (
  campaignId: string,
  list: PeopleList,
  before: string,
): RawBuilder<Row & { is_listed: boolean }> => sql`
  select u.id::text as id, u.username, u.email, u.role, ${ACCOUNT_STATE} as state, ${isoTime(sql`u.created_at`)} as registered_at,
    r.username as invited_by, c.status as claim_status, c.attempt, c.wallet, c.telegram, c.twitter as x,
    c.retweet_link as post, ${isoTime(sql`c.submitted_at`)} as submitted_at, ${isoTime(sql`c.decided_at`)} as decided_at,
    coalesce(s.pf, 0) as pf_points, coalesce(s.pls, 0) as pls_points, coalesce(s.referral, 0) as referral_points,
    coalesce(s.total, 0) as total_points,
    u.deleted_at is null and ${
      list === 'winners' ? sql`c.status = 'approved' and u.banned_at is null` : sql`true`
    } as is_listed
  from (select * from users where id < ${before}::uuid order by id desc limit ${BATCH_SIZE}) u
  left join users r on r.id = u.referred_by and r.deleted_at is null
  left join lateral ${latestClaim(campaignId, sql.ref('u.id'))} c on true
  -- One index look-up for each account; a join would read all standings.
  left join lateral (
    select * from standings where campaign_id = ${campaignId} and user_id = u.id limit 1) s on true
  order by u.id desc`
