import { type Locale, localeNamed } from '#contract/locales.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'

/** Changes the language of an account. */
export async function chooseLocale(db: Database, userId: string, locale: Locale): Promise<void> {
  await db
    .updateTable('users')
    .set({ locale })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** The language of an account; null until one was chosen. */
export async function readLocale(db: Database | Tx, userId: string): Promise<Locale | null> {
  const user = await db.selectFrom('users').select('locale').where('id', '=', userId).executeTakeFirst()
  return localeNamed(user?.locale) ?? null
}
