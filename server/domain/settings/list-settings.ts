import type { Settings } from '#contract/dashboard/settings.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { faultIn, problemIn } from '#server/domain/campaign/faults.ts'
import { languagesOf } from '#server/domain/campaign/localized-campaign.ts'
import { applyOverrides, readOverrides } from '#server/domain/campaign/settings/overrides.ts'
import { promiseOf } from '#server/domain/campaign/settings/setting-promises.ts'
import { readSetting, SETTING_PATHS } from '#server/domain/campaign/settings/setting-paths.ts'
import { readSituation } from '#server/domain/campaign/settings/stored-settings.ts'
import type { Database } from '#server/platform/database/database.ts'

/** @param locale the language of promises and problems. */
export async function listSettings(
  db: Database,
  file: CampaignFile,
  locale: Locale = DEFAULT_LOCALE,
): Promise<Settings> {
  const { revision, overrides } = await readOverrides(db, file.id)
  const { campaign, ignored } = applyOverrides(file, overrides)
  const situation = await readSituation(db, campaign)
  const ignoredPaths = new Set(ignored.map(({ path }) => path))
  const inForce = overrides.filter(({ path }) => !ignoredPaths.has(path))
  return {
    campaignId: file.id,
    revision,
    settings: SETTING_PATHS.map((path) => {
      const promise = promiseOf(path, campaign, situation)
      const override = inForce.find((each) => each.path === path)
      return {
        path,
        value: readSetting(campaign, path) ?? null,
        fileValue: readSetting(file, path) ?? null,
        languages: languagesOf(campaign, path),
        source: override ? 'override' : 'file',
        changedAt: override?.changedAt ?? null,
        changedBy: override?.changedBy ?? null,
        promise: promise ? faultIn(promise, locale) : null,
      }
    }),
    ignored: ignored.map((override) => ({ ...override, problem: problemIn(override.problem, locale) })),
  }
}
