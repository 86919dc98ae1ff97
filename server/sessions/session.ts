import { sql } from 'kysely'
import type { Role } from '#contract/entities.ts'
import type { Database, Tx } from '../platform/database.ts'
import type { Caller } from '../platform/http/route.ts'
import { hashToken, newToken } from '../platform/secrets.ts'

/** How long a session lives from its start, and how long unused. Administrators get less. */
const LIVES = { user: ['7 days', '24 hours'], admin: ['8 hours', '30 minutes'] } as const
const SESSIONS_PER_USER = 10
/** A session's last use is written at most this often, so that reading stays reading. */
const TOUCH_EVERY = '1 minute'

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/i

/**
 * The caller behind an Authorization header. Role and ban are read anew each time, so that a change takes
 * effect with the next request. Anything but one live bearer is nobody.
 */
export async function authenticate(db: Database, header: string | undefined): Promise<Caller | undefined> {
  const session = await readSession(db, header)
  if (session?.isStale) await touch(db, session.caller.tokenHash)
  return session?.caller
}

/** The same without counting as use: for a stream that stays open while nobody may sit before it. */
export async function whois(db: Database, header: string | undefined): Promise<Caller | undefined> {
  return (await readSession(db, header))?.caller
}

async function readSession(db: Database, header: string | undefined) {
  const token = BEARER.exec(header ?? '')?.[1]
  if (!token) return undefined
  const tokenHash = hashToken(token)
  const session = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      'u.id',
      'u.role',
      sql<boolean>`s.last_seen_at < now() - ${sql.lit(TOUCH_EVERY)}::interval`.as('stale'),
    ])
    .where('s.token_hash', '=', tokenHash)
    .where('u.banned_at', 'is', null)
    .where(isAlive)
    .executeTakeFirst()
  if (!session) return undefined
  const caller: Caller = { userId: session.id, role: session.role as Role, tokenHash }
  return { caller, isStale: session.stale }
}

const isAlive = sql<boolean>`case u.role
  when 'admin' then s.created_at > now() - ${sql.lit(LIVES.admin[0])}::interval
    and s.last_seen_at > now() - ${sql.lit(LIVES.admin[1])}::interval
  else s.created_at > now() - ${sql.lit(LIVES.user[0])}::interval
    and s.last_seen_at > now() - ${sql.lit(LIVES.user[1])}::interval end`

async function touch(db: Database, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/**
 * Starts a session; of more than ten the oldest end.
 * @returns the bearer, of which only a hash is kept.
 */
export async function startSession(tx: Tx, userId: string): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), user_id: userId })
    .execute()
  await tx
    .deleteFrom('sessions')
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .offset(SESSIONS_PER_USER),
    )
    .execute()
  return token
}

/** Deletes sessions that nobody can use any more. */
export async function purgeSessions(db: Database): Promise<void> {
  const [longest, idle] = LIVES.user
  await db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([
        where('created_at', '<', sql<Date>`now() - ${sql.lit(longest)}::interval`),
        where('last_seen_at', '<', sql<Date>`now() - ${sql.lit(idle)}::interval`),
      ]),
    )
    .execute()
}
