import type { TestContext } from 'node:test'
import { type Change, changeSettings, settings, type Settings } from '#contract/dashboard/settings.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { testApi } from '../api.ts'
import campaign from '../campaign.ts'

/** The API with an administrator, and calls that read and change the campaign's settings. */
export async function settingsApi(t: TestContext) {
  const api = await testApi(t)
  await syncCampaign(api.db, campaign)
  await api.deps.liveCampaign.refresh()
  const admin = await api.administrator()
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
