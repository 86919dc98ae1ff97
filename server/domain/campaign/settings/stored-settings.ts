import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { canonical, digest } from '#server/domain/journal/chain.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { IS_RUNNING } from '#server/domain/payouts/runs.ts'
import type { Situation } from './setting-promises.ts'
import { withSetting } from './setting-paths.ts'

/** `settings` is null for a campaign from an early version, which did not store settings. */
export type StoredCampaign = { slots_total: number; settings: CampaignFile | null; settings_revision: number }

const storedCampaign = (db: Database | Tx, id: string) =>
  db
    .selectFrom('campaigns')
    .select(['slots_total', 'settings_revision', sql<CampaignFile | null>`settings`.as('settings')])
    .where('id', '=', id)

export const readStored = (tx: Tx, id: string): Promise<StoredCampaign | undefined> =>
  storedCampaign(tx, id).executeTakeFirst()

/** Like {@link readStored}, but locks the row for a change of the settings. Claims wait for the lock. */
export const lockStored = (tx: Tx, id: string): Promise<StoredCampaign | undefined> =>
  storedCampaign(tx, id).forNoKeyUpdate().executeTakeFirst()

export const matches = ({ slots_total, settings }: StoredCampaign, campaign: CampaignFile) =>
  slots_total === campaign.airdrop.slots && canonical(settings) === canonical(campaign)

/** The settings that participants know, with the number of slots, which has a column of its own. */
export const announcedBy = ({ settings, slots_total }: StoredCampaign): unknown =>
  withSetting(settings, 'airdrop.slots', slots_total)

/** @param before the campaign as participants know it. */
export async function readSituation(db: Database | Tx, before: CampaignFile): Promise<Situation> {
  const { rows } = await sql<Situation>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      clock_timestamp() >= ${before.airdrop.opensAt}::timestamptz
        and exists (select from users where role = 'user') as "hasOpened",
      exists (select from claims where campaign_id = c.id) as "hasClaims",
      c.slots_taken as "slotsTaken", c.archived_at is not null as "isArchived",
      -- The latest freeze has not been undone, or one is being made.
      coalesce((select not exists (select from payout_thaws t where t.campaign_id = f.campaign_id and t.number = f.number)
        from payout_freezes f where f.campaign_id = c.id order by f.number desc limit 1), false)
        or exists (select from payout_runs r where r.campaign_id = c.id and r.task = 'freeze' and ${IS_RUNNING}) as "isFrozen"
    from campaigns c where c.id = ${before.id}`.execute(db)
  const [situation] = rows
  if (!situation) throw new Error(`There is no campaign ${before.id}.`)
  return situation
}

type SettingsWrite = Attribution & { before: StoredCampaign; campaign: CampaignFile }

/** Stores changed settings and journals them. The caller holds {@link lockStored}. */
export async function storeSettings(tx: Tx, { before, campaign, ...by }: SettingsWrite): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({
      slots_total: campaign.airdrop.slots,
      settings: JSON.stringify(campaign),
      settings_revision: before.settings_revision + 1,
    })
    .where('id', '=', campaign.id)
    .execute()
  const { settings, slots_total: slots } = before
  const changeDetails = settings ? { changes: changedSettings(settings, campaign) } : { settings: campaign }
  await record(tx, {
    ...by,
    action: 'settings.changed',
    before: settings ? sealedSettings(settings, slots) : { slots },
    after: sealedSettings(campaign, campaign.airdrop.slots),
    details: { campaign: campaign.id, ...changeDetails },
  })
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The part of a journal entry that can never be erased: the amounts, and a digest of all settings. */
export function sealedSettings(campaign: CampaignFile, slots: number) {
  const { pointsPerTask, referralReward, referralsPaid } = campaign.airdrop
  const granted = grantedPoints(campaign.airdrop)
  return { settings: digest(campaign), slots, pointsPerTask, ...granted, referralReward, referralsPaid }
}

/** Compares value by value. Paths lead into lists, as in `airdrop.tasks.0.title`. */
function changedSettings(before: CampaignFile, after: CampaignFile) {
  const [oldLeaves, newLeaves] = [leaves(before as Json), leaves(after as Json)]
  return [...new Set([...oldLeaves.keys(), ...newLeaves.keys()])]
    .filter((path) => oldLeaves.get(path) !== newLeaves.get(path))
    .map((setting) => ({
      setting,
      before: oldLeaves.get(setting) ?? null,
      after: newLeaves.get(setting) ?? null,
    }))
}

function leaves(value: Json | undefined, path = ''): Map<string, string | number | boolean | null> {
  if (typeof value !== 'object' || value === null) return new Map([[path, value ?? null]])
  return new Map(
    Object.entries(value).flatMap(([key, member]) => [
      ...leaves(member, path === '' ? key : `${path}.${key}`),
    ]),
  )
}
