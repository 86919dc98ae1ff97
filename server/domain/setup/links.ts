import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'

const LIFETIME = '30 minutes'
/** Expired and used links are kept this long, to tell whoever opens one why it does not work. */
const FORGOTTEN_AFTER = '7 days'

/**
 * Creates a setup link. Links from other nodes and earlier starts stay valid unless `replacesOthers` is set.
 * @returns the link's token, of which only a hash is stored; undefined if there is an administrator.
 */
export function makeSetupLink(
  db: Database,
  { replacesOthers = false }: { replacesOthers?: boolean } = {},
): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    if (await hasAdministrator(tx)) return undefined
    await tx
      .deleteFrom('setup_links')
      .where('created_at', '<', sql<Date>`now() - ${sql.lit(FORGOTTEN_AFTER)}::interval`)
      .execute()
    if (replacesOthers) await tx.deleteFrom('setup_links').where('used_at', 'is', null).execute()
    const token = newToken()
    await tx
      .insertInto('setup_links')
      .values({ token_hash: hashToken(token) })
      .execute()
    return token
  })
}

/** Banned administrators count: a link must not become a way around a ban. */
async function hasAdministrator(db: Database | Tx): Promise<boolean> {
  const administrator = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .limit(1)
    .executeTakeFirst()
  return administrator !== undefined
}

/** @throws refusals `setup_link_wrong`, `setup_link_used`, `setup_done` and `setup_link_expired`. */
export async function checkLink(db: Database | Tx, token: string): Promise<void> {
  const link = await db
    .selectFrom('setup_links')
    .select(['used_at', isOpen.as('isOpen')])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst()
  if (!link) throw refuse('setup_link_wrong')
  if (link.used_at !== null) throw refuse('setup_link_used')
  if (await hasAdministrator(db)) throw refuse('setup_done')
  if (!link.isOpen) throw refuse('setup_link_expired')
}

// Uses clock_timestamp() because the link may have expired while the transaction waited in `lockSetupLinks`.
const isOpen = sql<boolean>`created_at > clock_timestamp() - ${sql.lit(LIFETIME)}::interval`

/** While any link exists, this lock makes links and commands create administrators one after another. */
export async function lockSetupLinks(tx: Tx): Promise<void> {
  await tx.selectFrom('setup_links').select('token_hash').orderBy('token_hash').forUpdate().execute()
}

/** Spends a link that the caller has checked under {@link lockSetupLinks}. */
export async function spendLink(tx: Tx, token: string): Promise<void> {
  await tx
    .updateTable('setup_links')
    .set({ used_at: sql`now()` })
    .where('token_hash', '=', hashToken(token))
    .execute()
}

/** False for a database with an older schema, which `doctor` may examine. */
export async function canMakeLinks(db: Database): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('setup_links') is not null as "exists"`.execute(db)
  return rows[0]?.exists ?? false
}

/** When the newest open link expires; undefined if none is open. */
export async function readLinkExpiry(db: Database): Promise<Date | undefined> {
  const link = await db
    .selectFrom('setup_links')
    .select(sql<Date>`created_at + ${sql.lit(LIFETIME)}::interval`.as('until'))
    .where('used_at', 'is', null)
    .where(isOpen)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return link?.until
}
