import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** Asserts that banned and deleted accounts have nothing that a ban takes away. */
export async function assertBansHold(db: Database): Promise<void> {
  const { rows } = await sql`
    select u.id, c.status as claim, s.state as slot, b.listed, w.ticket, x.created_at as session from users u
    left join claims c on c.user_id = u.id and c.decided_at is null
    left join slots s on s.user_id = u.id and s.state <> 'claimed'
    left join standings b on b.user_id = u.id and b.listed
    left join waiting_list w on w.user_id = u.id
    left join sessions x on x.user_id = u.id
    where u.banned_at is not null
      and coalesce(c.status, s.state, b.listed::text, w.ticket::text, x.created_at::text) is not null
    order by u.id`.execute(db)
  assert.deepEqual(rows, [], 'what banned accounts still have')
}
