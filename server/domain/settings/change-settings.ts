import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Change } from '#contract/dashboard/settings.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { joinLanguages, withTranslations } from '../campaign/localized-campaign.ts'
import { type Fault, type Problem, problemIn } from '../campaign/faults.ts'
import { inspectCampaign } from '../campaign/load-campaign.ts'
import { applyOverrides, merge, type Override, readOverrides } from '../campaign/settings/overrides.ts'
import { brokenPromises } from '../campaign/settings/setting-promises.ts'
import { isFixed, readSetting, SETTING_PATHS } from '../campaign/settings/setting-paths.ts'
import {
  announcedBy,
  lockStored,
  matches,
  readSituation,
  storeSettings,
  type StoredCampaign,
} from '../campaign/settings/stored-settings.ts'
import { announce } from '../events/announce.ts'
import type { Attribution } from '../journal/record.ts'
import { lockStoredPicture } from '../look/pictures.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse, type Refusal } from '#server/platform/refusal.ts'

type SettingsChange = Attribution & {
  changes: readonly Change[]
  /** The revision that the changes are based on. Not compared when absent. */
  revision?: number
  /** Whether unchanged texts keep their translations. Otherwise a text is the same in every language. */
  keepsTranslations?: true
  /** Settings whose promises may be broken, for example to close a campaign early. */
  breaking?: readonly string[]
}

/**
 * Overrides settings or lets them follow the campaign file again. Makes all changes or none. A setting with
 * the same value as in the file follows the file.
 * @param file the campaign file, without overrides.
 * @throws refusal `settings_changed` if the revision is no longer the newest. Refusals `invalid_input` and
 * `promise_broken` have a sentence for each setting.
 */
export function changeSettings(db: Database, file: CampaignFile, wanted: SettingsChange): Promise<void> {
  return inTransaction(db, (tx) => overrideSettings(tx, file, wanted))
}

/** Like {@link changeSettings}, in the caller's transaction. */
export async function overrideSettings(tx: Tx, file: CampaignFile, wanted: SettingsChange): Promise<void> {
  const before = await lockStored(tx, file.id)
  if (!before) throw new Error(`The campaign ${file.id} has not been opened: start the server once.`)
  if (wanted.revision !== undefined && wanted.revision !== before.settings_revision)
    throw refuse('settings_changed')
  const { actor, network, breaking = [] } = wanted
  const { overrides } = await readOverrides(tx, file.id)
  const changes = wanted.keepsTranslations
    ? withKnownTranslations(file, overrides, wanted.changes)
    : wanted.changes
  const campaign = applyChanges(file, overrides, changes)
  await refuseMissingPictures(tx, changes)
  await refuseBrokenPromises(tx, before, campaign, breaking)
  await writeOverrides(tx, file, changes, actor)
  if (matches(before, campaign)) return
  await storeSettings(tx, { before, campaign, actor, network })
  if (campaign.airdrop.slots !== before.slots_total) await announce(tx, 'slots')
}

/** Adds the translations of unchanged texts to changes, which are in the default language. */
function withKnownTranslations(
  file: CampaignFile,
  overrides: readonly Override[],
  changes: readonly Change[],
): readonly Change[] {
  const known = [file, applyOverrides(file, overrides).campaign]
  return changes.map((change) =>
    'value' in change ? { ...change, value: withTranslations(change.path, change.value, known) } : change,
  )
}

/** For a preview, in which promises may be broken. @throws refusal `invalid_input`. */
export async function draftCampaign(
  db: Database,
  file: CampaignFile,
  changes: readonly Change[],
): Promise<CampaignFile> {
  const { overrides } = await readOverrides(db, file.id)
  return applyChanges(file, overrides, withKnownTranslations(file, overrides, changes))
}

/** Does not check promises. @throws refusal `invalid_input`. */
function applyChanges(
  file: CampaignFile,
  overrides: readonly Override[],
  changes: readonly Change[],
): CampaignFile {
  const problems = findMalformed(changes, overrides)
  if (problems.length > 0) throw refuseProblems('invalid_input', problems)
  const inspected = inspectChanges(file, overrides, changes)
  if ('problems' in inspected) throw refuseProblems('invalid_input', inspected.problems)
  return inspected.campaign
}

/** Locks the pictures that the changes name. Only the campaign file may name pictures that are not stored. */
async function refuseMissingPictures(tx: Tx, changes: readonly Change[]): Promise<void> {
  const missing: Problem[] = []
  for (const change of changes) {
    const picture = /^look\.(logo|mascot)$/.test(change.path) && 'value' in change ? change.value : null
    if (typeof picture !== 'string' || (await lockStoredPicture(tx, picture))) continue
    missing.push({ paths: [change.path], fault: { code: 'no_picture' } })
  }
  if (missing.length > 0) throw refuseProblems('invalid_input', missing)
}

async function refuseBrokenPromises(
  tx: Tx,
  before: StoredCampaign,
  campaign: CampaignFile,
  breaking: readonly string[],
): Promise<void> {
  const situation = await readSituation(tx, before.settings ?? campaign)
  const broken = brokenPromises(announcedBy(before), campaign, situation).filter(
    ({ paths }) => !paths.some((path) => breaking.includes(path)),
  )
  if (broken.length > 0) throw refuseProblems('promise_broken', broken)
}

/** @returns the campaign with the changes, or its problems. Pure. */
export function inspectChanges(file: CampaignFile, stored: readonly Override[], changes: readonly Change[]) {
  const touched = new Set(changes.map(({ path }) => path))
  // An override that is ignored anyway must not prevent other changes.
  const ignored = new Set(applyOverrides(file, stored).ignored.map(({ path }) => path))
  const kept = stored.filter(({ path }) => !touched.has(path) && !ignored.has(path))
  const newOverrides = changes.flatMap((change) => ('unset' in change ? [] : [change]))
  return inspectCampaign(merge(file, [...kept, ...newOverrides]))
}

type Malformed = Extract<Fault['code'], 'twice' | 'fixed' | 'no_setting' | 'control_characters'>

function findMalformed(changes: readonly Change[], stored: readonly Override[]): Problem[] {
  const earlierPaths = new Set<string>()
  return changes.flatMap((change) => {
    const { path } = change
    const about = (code: Malformed) => [{ paths: [path], fault: { code } }]
    if (earlierPaths.has(path)) return about('twice')
    earlierPaths.add(path)
    if (isFixed(path)) return about('fixed')
    const removesOverride = 'unset' in change && stored.some((override) => override.path === path)
    if (!SETTING_PATHS.includes(path) && !removesOverride) return about('no_setting')
    return 'value' in change && !isStorable(change.value) ? about('control_characters') : []
  })
}

/** More than any setting has. The schema refuses values that are nested deeper. */
const MAX_LEVELS = 10

/**
 * Whether all texts in a value are well-formed and have no control characters except line breaks. PostgreSQL
 * refuses lone surrogates and NUL. No screen shows the other control characters.
 * @param levels how deep to look. Thousands of levels would exhaust the stack.
 */
function isStorable(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !/\p{Cc}/u.test(value.replaceAll('\n', ''))
  if (typeof value !== 'object' || value === null || levels === 0) return true
  return Object.values(value).every((member) => isStorable(member, levels - 1))
}

function refuseProblems(code: 'invalid_input' | 'promise_broken', problems: readonly Problem[]): Refusal {
  // Reversed, so that a setting with several problems keeps the first.
  const firstByPath = new Map(problems.toReversed().map((problem) => [problem.paths[0] ?? '', problem]))
  const fieldsIn = (locale: Locale) =>
    Object.fromEntries(Array.from(firstByPath, ([path, problem]) => [path, problemIn(problem, locale)]))
  return refuse(code, { fields: fieldsIn(DEFAULT_LOCALE), fieldsIn })
}

async function writeOverrides(
  tx: Tx,
  file: CampaignFile,
  changes: readonly Change[],
  actor: string | null,
): Promise<void> {
  for (const change of changes) {
    const { path } = change
    const fileValue = readSetting(file, path)
    const fileValueInAllLanguages = readSetting(joinLanguages(file), path)
    const isFileValue = (value: unknown) =>
      isDeepStrictEqual(value, fileValue) || isDeepStrictEqual(value, fileValueInAllLanguages)
    if ('unset' in change || isFileValue(change.value)) {
      await tx
        .deleteFrom('campaign_overrides')
        .where('campaign_id', '=', file.id)
        .where('path', '=', path)
        .execute()
      continue
    }
    const [valueJson, fileJson] = [JSON.stringify(change.value), JSON.stringify(fileValue ?? null)]
    await sql`
      insert into campaign_overrides (campaign_id, path, value, file_value, changed_by)
      values (${file.id}, ${path}, ${valueJson}::jsonb, ${fileJson}::jsonb, ${actor})
      on conflict (campaign_id, path) do update set value = excluded.value, file_value = excluded.file_value,
        changed_by = excluded.changed_by, changed_at = now()`.execute(tx)
  }
}
