import { sql } from 'kysely'
import type { OwnSession } from '#contract/accounts/own-sessions.ts'
import type { Role } from '#contract/entities.ts'
import { localeNamed } from '#contract/locales.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { plannedOnce } from '#server/platform/database/planned-once.ts'
import { ago, NOW } from '#server/platform/database/times.ts'
import type { Credentials } from '#server/platform/http/security/credentials.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import type { Origin } from './origin.ts'

const LIFETIMES = {
  user: { absolute: '7 days', idle: '24 hours' },
  admin: { absolute: '8 hours', idle: '30 minutes' },
} as const
const MAX_SESSIONS_PER_USER = 10
/** Minimum interval between writes of `last_seen_at`, so that most requests write nothing. */
const TOUCH_EVERY = '1 minute'

/** Both formats contain a token of {@link newToken}. */
const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/i
const BINDING = /^[A-Za-z0-9_-]{43}$/

type Demands = {
  /** Whether administrators need two-factor login for administrators' calls. */
  requiresSecondFactor: boolean
}

/**
 * Checks a request's bearer token and, if the session is bound to a browser, its binding cookie. Reads role
 * and ban each time, so that changes take effect with the next request.
 * @returns undefined for missing, invalid or expired credentials.
 */
export async function authenticate(
  db: Database,
  credentials: Credentials,
  demands: Demands,
): Promise<Caller | undefined> {
  const session = await readSession(db, credentials, demands)
  if (session?.needsTouch) await touch(db, session.caller.tokenHash)
  return session?.caller
}

/** Does not extend the session, unlike {@link authenticate}: an open event stream is no sign of activity. */
export async function readCaller(
  db: Database,
  credentials: Credentials,
  demands: Demands,
): Promise<Caller | undefined> {
  return (await readSession(db, credentials, demands))?.caller
}

async function readSession(
  db: Database,
  { authorization, binding }: Credentials,
  { requiresSecondFactor }: Demands,
) {
  const token = BEARER.exec(authorization ?? '')?.[1]
  if (!token) return undefined
  const tokenHash = hashToken(token)
  const session = await plannedOnce(db)
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      'u.id',
      'u.role',
      'u.locale',
      sql<boolean>`s.last_seen_at < ${ago(TOUCH_EVERY)}`.as('needsTouch'),
      lacksSecondFactor(requiresSecondFactor).as('lacksSecondFactor'),
    ])
    .where('s.token_hash', '=', tokenHash)
    .where(acceptsBinding(binding))
    .where('u.banned_at', 'is', null)
    .where(isAlive)
    .executeTakeFirst()
  if (!session) return undefined
  const { id: userId, role } = session
  const locale = localeNamed(session.locale)
  const caller: Caller = {
    userId,
    role: role as Role,
    tokenHash,
    ...(session.lacksSecondFactor ? { lacksSecondFactor: true } : {}),
    ...(locale ? { locale } : {}),
  }
  return { caller, needsTouch: session.needsTouch }
}

/** For the user `u`. Reads second_factors only if `isRequired`. */
const lacksSecondFactor = (isRequired: boolean) =>
  isRequired
    ? sql<boolean>`u.role = 'admin' and not exists (
        select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)`
    : sql<boolean>`false`

const acceptsBinding = (binding: string | undefined) =>
  binding === undefined
    ? sql<boolean>`s.binding_hash is null`
    : sql<boolean>`(s.binding_hash is null or s.binding_hash = ${hashToken(binding)})`

/** For the session `s` of the user `u`. */
const isAlive = sql<boolean>`case u.role
  when 'admin'
    then s.created_at > ${ago(LIFETIMES.admin.absolute)} and s.last_seen_at > ${ago(LIFETIMES.admin.idle)}
  else s.created_at > ${ago(LIFETIMES.user.absolute)} and s.last_seen_at > ${ago(LIFETIMES.user.idle)} end`

async function touch(db: Database, tokenHash: Buffer): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: NOW }).where('token_hash', '=', tokenHash).execute()
}

/**
 * The binding of a new session. Reuses the cookie's value, so that the browser's other tabs and accounts stay
 * logged in. Over TLS, no other host can set this cookie (`__Host-`).
 */
export const bindingFor = (cookie: string | undefined): string =>
  cookie !== undefined && BINDING.test(cookie) ? cookie : newToken()

/**
 * Starts a session and ends the user's oldest beyond ten. The caller must lock the user, so that parallel
 * logins see each other's sessions. A `binding` ties the session to a browser. Without it, the token alone
 * suffices.
 * @returns the bearer token. Only the hashes of token and binding are stored.
 */
export async function startSession(
  tx: Tx,
  userId: string,
  { binding, origin }: { binding?: string | undefined; origin?: Origin | undefined } = {},
): Promise<string> {
  const token = newToken()
  await plannedOnce(tx)
    .with('started', (query) =>
      query
        .insertInto('sessions')
        .values({
          token_hash: hashToken(token),
          user_id: userId,
          binding_hash: binding === undefined ? null : hashToken(binding),
          device: origin?.device ?? null,
          network: origin?.network ?? null,
        })
        .returning('user_id'),
    )
    .deleteFrom('sessions')
    .where('token_hash', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        // The statement does not see the session that it inserts.
        .offset(MAX_SESSIONS_PER_USER - 1),
    )
    .execute()
  return token
}

/** Deletes expired sessions; those of administrators only after the longer lifetimes of participants. */
export async function purgeSessions(db: Database): Promise<void> {
  const { absolute, idle } = LIFETIMES.user
  await db
    .deleteFrom('sessions')
    .where(({ or, eb }) => or([eb('created_at', '<', ago(absolute)), eb('last_seen_at', '<', ago(idle))]))
    .execute()
}

/** Takes effect on every node with the next request. */
export async function endSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** @param except the token hash of a session to keep. */
export async function endSessions(
  db: Database | Tx,
  userId: string,
  { except }: { except?: Buffer } = {},
): Promise<void> {
  const all = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (except ? all.where('token_hash', '!=', except) : all).execute()
}

export async function listSessions(db: Database, { userId, tokenHash }: Caller): Promise<OwnSession[]> {
  const sessions = await selectAliveSessions(db, userId).select(['s.id', 's.token_hash']).execute()
  return sessions.map(({ created_at, last_seen_at, token_hash, ...session }) => ({
    ...session,
    startedAt: created_at.toISOString(),
    lastUsedAt: last_seen_at.toISOString(),
    isCurrent: token_hash.equals(tokenHash),
  }))
}

/** Most recently used first. Uses the index `sessions_by_user`. */
export const selectAliveSessions = (db: Database, userId: string) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.device', 's.network', 's.created_at', 's.last_seen_at'])
    .where('s.user_id', '=', userId)
    .where(isAlive)
    .orderBy('s.last_seen_at', 'desc')
    .orderBy('s.id')

/** Does nothing if the caller has no session with this id. */
export async function endOneSession(db: Database, { userId }: Caller, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).execute()
}
