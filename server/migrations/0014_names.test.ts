import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skeletonOf } from '../domain/accounts/rules.ts'
import { newId } from '../platform/database/ids.ts'
import { migrate } from '../platform/database/migrate.ts'
import { emptyDatabase } from '../testing/database.ts'
import { schemaBefore } from '../testing/older-schema.ts'

/** Names as the previous version stored them, oldest first: of a participant, an administrator, or held for an email. */
const NAMES: [name: string, who: 'user' | 'admin' | 'held'][] = [
  ['alice', 'user'],
  ['Al.Ice', 'user'],
  ['a1ice', 'held'],
  ['b0ss', 'user'],
  ['Boss', 'admin'],
  ['...', 'user'],
  ['rnarvin', 'held'],
  ['vv-i-1-l-0-w', 'user'],
  ['carol', 'held'],
]

test('of look-alike names, an administrator’s, else the oldest, gets the skeleton as key; the others move to a key with `=`', async (t) => {
  const pool = (await emptyDatabase(t))()
  await schemaBefore(pool, 'names')
  for (const [name, who] of NAMES) {
    const id = newId()
    if (who !== 'held')
      await pool.query(
        `insert into users (id, username, email, email_key, email_twin, password_hash, referral_code, role, created_at)
         values ($1, $2, $2, $2, $2, 'none', $2, $3, clock_timestamp())`,
        [id, name, who],
      )
    await pool.query(
      who === 'held'
        ? `insert into usernames (key, held_for, held_until) values (lower($1), 'al@mail.example', now() + interval '1 day')`
        : `insert into usernames (key, user_id) values (lower($1), '${id}')`,
      [name],
    )
  }
  await migrate(pool, () => {})
  const { rows } = await pool.query<{ key: string; username: string | null }>(
    `select key, username from usernames left join users on id = user_id order by key collate "C"`,
  )
  const names = rows.map(({ key, username }) => [key, username])
  assert.deepEqual(
    names,
    [
      ['=...', '...'],
      ['=a1ice', null],
      ['=al.ice', 'Al.Ice'],
      ['=b0ss', 'b0ss'],
      [skeletonOf('alice'), 'alice'],
      [skeletonOf('boss'), 'Boss'],
      [skeletonOf('carol'), null],
      [skeletonOf('marvin'), null],
      [skeletonOf('willow'), 'vv-i-1-l-0-w'],
    ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )
})
