import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { type Problem, problemIn } from '../faults.ts'
import { inspectCampaign } from '../load-campaign.ts'
import { joinLanguages } from '../localized-campaign.ts'
import { readSetting, SETTING_PATHS, withSetting } from './setting-paths.ts'

/** A setting whose value in the database takes precedence over the campaign file. */
export type Override = { path: string; value: unknown }

type IgnoredOverride = Override & { problem: Problem }

type Effective = {
  campaign: CampaignFile
  ignored: readonly IgnoredOverride[]
}

/** Pure. Ignores overrides that do not fit this version or that contradict a changed file. */
export function applyOverrides(file: CampaignFile, overrides: readonly Override[]): Effective {
  const ignored: IgnoredOverride[] = []
  let kept = overrides.filter((override) => {
    const isKnown = SETTING_PATHS.includes(override.path)
    if (!isKnown)
      ignored.push({ ...override, problem: { paths: [override.path], fault: { code: 'other_version' } } })
    return isKnown
  })
  while (kept.length > 0) {
    const inspected = inspectCampaign(merge(file, kept))
    if ('campaign' in inspected) return { campaign: inspected.campaign, ignored }
    const { problems } = inspected
    const problemOf = ({ path }: Override) =>
      problems.find(({ paths }) => paths.some((other) => overlap(path, other)))
    const involved = kept.filter(problemOf)
    // If the problems name none of the overrides, each may be the cause.
    const misfits = involved.length > 0 ? involved : kept
    for (const override of misfits) {
      const problem = problemOf(override) ?? problems[0]
      if (problem) ignored.push({ ...override, problem })
    }
    kept = kept.filter((override) => !misfits.includes(override))
  }
  return { campaign: file, ignored }
}

/** @returns an unchecked campaign file. A text that is overridden loses its translations in the file. */
export function merge(file: CampaignFile, overrides: readonly Override[]): unknown {
  let campaign = joinLanguages(file)
  for (const { path, value } of overrides) campaign = withSetting(campaign, path, value)
  return campaign
}

/** Whether two paths are equal or one of them leads into the value of the other. */
const overlap = (a: string, b: string) => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

type StoredOverride = Override & {
  /** The setting's value in the campaign file at the time of the override. Null if it had none. */
  fileValue: unknown
  /** An ISO 8601 time. */
  changedAt: string
  /** A username. Null for the command line or an account that is gone. */
  changedBy: string | null
}

type StoredOverrides = {
  /** Grows with every change of a setting. */
  revision: number
  overrides: StoredOverride[]
}

/** The overrides of a campaign and their revision as of one moment. */
export async function readOverrides(db: Database | Tx, campaignId: string): Promise<StoredOverrides> {
  const { rows } = await sql<StoredOverrides>`
    select c.settings_revision as revision, coalesce((
      select jsonb_agg(jsonb_build_object('path', o.path, 'value', o.value, 'fileValue', o.file_value,
        'changedAt', to_char(o.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'changedBy', u.username) order by o.path)
      from campaign_overrides o left join users u on u.id = o.changed_by
      where o.campaign_id = c.id), '[]') as overrides
    from campaigns c where c.id = ${campaignId}`.execute(db)
  return rows[0] ?? { revision: 0, overrides: [] }
}

/** For operations under a lock, when the live campaign may be outdated, and for commands, which have none. */
export async function readEffective(db: Database | Tx, file: CampaignFile): Promise<Effective> {
  return applyOverrides(file, (await readOverrides(db, file.id)).overrides)
}

/** @returns undefined for a campaign that no node has served yet. */
export async function readRevision(db: Database, campaignId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .select('settings_revision')
    .where('id', '=', campaignId)
    .executeTakeFirst()
  return row?.settings_revision
}

/** A line for each override that is ignored, and one for those that hide a change of the campaign file. */
export async function describeOverrides(db: Database, file: CampaignFile): Promise<string[]> {
  const { overrides } = await readOverrides(db, file.id)
  const { ignored } = applyOverrides(file, overrides)
  const hidingChanges = overrides
    .filter(({ path }) => !ignored.some((each) => each.path === path))
    .filter(({ path, fileValue }) => !isDeepStrictEqual(fileValue, readSetting(file, path) ?? null))
    .map(({ path }) => path)
  const lines = ignored.map(
    ({ path, problem }) =>
      `An override is ignored, and the campaign file counts: ${problemIn(problem)}. To remove it: npm run settings -- unset ${path}`,
  )
  if (hidingChanges.length > 0)
    lines.unshift(
      `The campaign file has changed, but overrides still take precedence: ${hidingChanges.join(', ')}. To follow the file: npm run settings -- unset PATH`,
    )
  return lines
}
