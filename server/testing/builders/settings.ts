import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { type Change, changeSettings, settings, type Settings } from '#contract/dashboard/settings.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import type { Database } from '#server/platform/database/database.ts'
import { testApi } from '../api.ts'
import campaign from '../campaign.ts'
import { createAdmin } from './create-users.ts'

/** The API with an administrator's calls that read and change settings. */
export async function settingsApi(t: TestContext) {
  const api = await testApi(t)
  await syncCampaign(api.db, campaign)
  await api.deps.liveCampaign.refresh()
  const admin = await createAdmin(api)
  const { token } = admin
  const read = async () => (await api.call(settings, { token })).body.data as Settings
  /** @param revision the newest by default. */
  const change = async (changes: readonly Change[], revision?: number) => {
    const body = { revision: revision ?? (await read()).revision, changes }
    return api.call(changeSettings, { token, body })
  }
  const settingOf = async (path: string) => (await read()).settings.find((setting) => setting.path === path)
  return { ...api, admin, token, read, change, settingOf }
}

/** Writes overrides past all checks and unnoticed by this node, as another version on another node might. */
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
