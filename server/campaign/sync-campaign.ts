import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { canonical } from '../journal/chain.ts'
import { record } from '../journal/record.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { openBoard } from '../points/board.ts'
import { changedSettings, sealedSettings } from './changed-settings.ts'

/**
 * Makes the database follow the campaign file at start: the number of slots, and the board of a campaign
 * that has just begun. What changed is journalled, once, whichever node comes first.
 * @returns a line for each wish of the file that could not be followed.
 */
export function syncCampaign(db: Database, file: CampaignFile): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const settings = JSON.stringify(file)
    const { id, airdrop } = file
    const opened = await tx
      .insertInto('campaigns')
      .values({ id, slots_total: airdrop.slots, settings })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (opened) await journalOpening(tx, file)
    const warnings = opened ? [] : await follow(tx, file, settings)
    await openBoard(tx, id)
    return warnings
  })
}

function journalOpening(tx: Tx, file: CampaignFile): Promise<void> {
  const after = sealedSettings(file, file.airdrop.slots)
  return record(tx, {
    actor: null,
    action: 'campaign.opened',
    after,
    details: { campaign: file.id, settings: file },
  })
}

async function follow(tx: Tx, file: CampaignFile, settings: string): Promise<string[]> {
  const before = await tx
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken', sql<CampaignFile | null>`settings`.as('settings')])
    .where('id', '=', file.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const slots = Math.max(file.airdrop.slots, before.slots_taken)
  if (slots !== before.slots_total || canonical(before.settings) !== canonical(file)) {
    await tx
      .updateTable('campaigns')
      .set({ slots_total: slots, settings })
      .where('id', '=', file.id)
      .execute()
    await journalChange(tx, file, before, slots)
  }
  if (slots === file.airdrop.slots) return []
  return [
    `The campaign file asks for ${file.airdrop.slots} slots, but ${before.slots_taken} are taken: ${slots} stay.`,
  ]
}

type Followed = { slots_total: number; settings: CampaignFile | null }

function journalChange(tx: Tx, file: CampaignFile, before: Followed, slots: number): Promise<void> {
  const { settings } = before
  return record(tx, {
    actor: null,
    action: 'settings.changed',
    before: settings ? sealedSettings(settings, before.slots_total) : { slots: before.slots_total },
    after: sealedSettings(file, slots),
    details: {
      campaign: file.id,
      ...(settings ? { changes: changedSettings(settings, file) } : { settings: file }),
    },
  })
}
