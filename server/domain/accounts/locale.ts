import type { Locale } from '#contract/locales.ts'
import type { Database } from '#server/platform/database/database.ts'

export async function chooseLocale(db: Database, userId: string, locale: Locale): Promise<void> {
  await db
    .updateTable('users')
    .set({ locale })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
}
