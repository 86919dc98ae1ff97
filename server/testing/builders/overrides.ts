import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** Overrides settings without any check, as another version or another node may have. */
export async function writeOverrides(
  db: Database,
  campaignId: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const [path, value] of Object.entries(values))
      await sql`
        insert into campaign_overrides (campaign_id, path, value)
        values (${campaignId}, ${path}, ${JSON.stringify(value)}::jsonb)
        on conflict (campaign_id, path) do update set value = excluded.value, changed_at = now()`.execute(tx)
    await tx
      .updateTable('campaigns')
      .set((eb) => ({ settings_revision: eb('settings_revision', '+', 1) }))
      .where('id', '=', campaignId)
      .execute()
  })
}
