import { sql } from 'kysely'
import type { Role } from '#contract/entities.ts'
import type { Database, Tx } from '../platform/database.ts'
import type { Credentials } from '../platform/http/credentials.ts'
import type { Caller } from '../platform/http/route.ts'
import { hashToken, newToken } from '../platform/secrets.ts'

/** How long a session lives from its start, and how long unused. Administrators get less. */
const LIVES = { user: ['7 days', '24 hours'], admin: ['8 hours', '30 minutes'] } as const
const SESSIONS_PER_USER = 10
/** A session's last use is written at most this often, so that reading stays reading. */
const TOUCH_EVERY = '1 minute'

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/i
const BINDING = /^[A-Za-z0-9_-]{43}$/

/**
 * The caller behind what was sent. Role and ban are read anew each time, so that a change takes effect with the
 * next request. Anything but one live bearer, with the binding of its browser if it has one, is nobody.
 */
export async function authenticate(db: Database, sent: Credentials): Promise<Caller | undefined> {
  const session = await readSession(db, sent)
  if (session?.isStale) await touch(db, session.caller.tokenHash)
  return session?.caller
}

/** The same without counting as use: for a stream that stays open while nobody may sit before it. */
export async function whois(db: Database, sent: Credentials): Promise<Caller | undefined> {
  return (await readSession(db, sent))?.caller
}

async function readSession(db: Database, { authorization, binding }: Credentials) {
  const token = BEARER.exec(authorization ?? '')?.[1]
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
    .where(isBoundTo(binding))
    .where('u.banned_at', 'is', null)
    .where(isAlive)
    .executeTakeFirst()
  if (!session) return undefined
  const caller: Caller = { userId: session.id, role: session.role as Role, tokenHash }
  return { caller, isStale: session.stale }
}

const isBoundTo = (binding: string | undefined) =>
  binding === undefined
    ? sql<boolean>`s.binding_hash is null`
    : sql<boolean>`(s.binding_hash is null or s.binding_hash = ${hashToken(binding)})`

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
 * What the tokens of a browser count together with. One that it holds already serves again: its other tabs and
 * accounts stay logged in, and a page of another site cannot have set it where that matters ({@link KEEPSAKES}).
 */
export const bindingFor = (held: string | undefined): string =>
  held !== undefined && BINDING.test(held) ? held : newToken()

/**
 * Starts a session; of more than ten the oldest end.
 * @param binding of the browser that asks; without one the session is a plain bearer.
 * @returns the bearer, of which only a hash is kept, as of the binding.
 */
export async function startSession(tx: Tx, userId: string, binding?: string): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      binding_hash: binding === undefined ? null : hashToken(binding),
    })
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
