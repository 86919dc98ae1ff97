import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { canonical } from '../journal/chain.ts'
import { record } from '../journal/record.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { fillBoards, fillBoardSoon } from '../ledger/board.ts'
import { changedSettings, sealedSettings } from './changed-settings.ts'

/**
 * Applies the campaign file to the database at start: settings, number of slots, and the leaderboard of a new
 * campaign. Idempotent: a change is journaled once, however many nodes start. Claims continue meanwhile, because
 * the campaign's row is locked only to change it, never while the leaderboard is filled.
 * @throws Misconfigured when the file asks for fewer slots than are taken.
 */
export async function syncCampaign(db: Database, file: CampaignFile): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { id, airdrop } = file
    const opened = await tx
      .insertInto('campaigns')
      .values({ id, slots_total: airdrop.slots, settings: JSON.stringify(file) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (opened) await journalOpening(tx, file)
    else if (!(await isUpToDate(tx, file))) await applyFile(tx, file)
    await fillBoardSoon(tx, id)
  })
  await fillBoards(db)
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

const storedCampaign = (db: Database, { id }: CampaignFile) =>
  db
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken', sql<CampaignFile | null>`settings`.as('settings')])
    .where('id', '=', id)

const matchesFile = ({ slots_total, settings }: StoredCampaign, file: CampaignFile) =>
  slots_total === file.airdrop.slots && canonical(settings) === canonical(file)

/** Reads without a lock: at most starts nothing has changed. */
async function isUpToDate(tx: Tx, file: CampaignFile): Promise<boolean> {
  return matchesFile(await storedCampaign(tx, file).executeTakeFirstOrThrow(), file)
}

async function applyFile(tx: Tx, file: CampaignFile): Promise<void> {
  const before = await storedCampaign(tx, file).forNoKeyUpdate().executeTakeFirstOrThrow()
  const { slots } = file.airdrop
  if (slots < before.slots_taken)
    throw new Misconfigured(
      `The campaign file asks for ${slots} slots, but ${before.slots_taken} are taken: set airdrop.slots to ${before.slots_taken} or more.`,
    )
  if (matchesFile(before, file)) return
  await tx
    .updateTable('campaigns')
    .set({ slots_total: slots, settings: JSON.stringify(file) })
    .where('id', '=', file.id)
    .execute()
  await journalChange(tx, file, before)
}

type StoredCampaign = { slots_total: number; slots_taken: number; settings: CampaignFile | null }

function journalChange(tx: Tx, file: CampaignFile, before: StoredCampaign): Promise<void> {
  const { settings } = before
  return record(tx, {
    actor: null,
    action: 'settings.changed',
    before: settings ? sealedSettings(settings, before.slots_total) : { slots: before.slots_total },
    after: sealedSettings(file, file.airdrop.slots),
    details: {
      campaign: file.id,
      ...(settings ? { changes: changedSettings(settings, file) } : { settings: file }),
    },
  })
}
