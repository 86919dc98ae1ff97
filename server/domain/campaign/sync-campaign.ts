import type { CampaignFile } from '#contract/campaign-file.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { record } from '../journal/record.ts'
import { fillBoards, fillBoardSoon } from '../ledger/board.ts'
import { problemIn } from './faults.ts'
import { readEffective } from './settings/overrides.ts'
import { brokenPromises } from './settings/setting-promises.ts'
import {
  announcedBy,
  lockStored,
  matches,
  readSituation,
  readStored,
  sealedSettings,
  storeSettings,
  type StoredCampaign,
} from './settings/stored-settings.ts'

/**
 * Runs when a server starts. Stores the settings of the campaign file, with the overrides applied, and fills
 * the leaderboard of a new campaign. Idempotent: a change is journaled once, however many nodes start. Claims
 * continue meanwhile: the campaign's row is locked only if the file has changed, and never while the
 * leaderboard is filled.
 * @throws Misconfigured with a line for each promise to participants that the file would break. Then nothing
 *   is changed.
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
    // Queues a job if participants are missing on the leaderboard. `fillBoards` runs it.
    await fillBoardSoon(tx, id)
  })
  await fillBoards(db)
}

function journalOpening(tx: Tx, file: CampaignFile): Promise<void> {
  const after = sealedSettings(file, file.airdrop.slots)
  const details = { campaign: file.id, settings: file }
  return record(tx, { actor: null, action: 'campaign.opened', after, details })
}

/** Reads without a lock, because usually nothing has changed. */
async function isUpToDate(tx: Tx, file: CampaignFile): Promise<boolean> {
  const stored = await readStored(tx, file.id)
  return stored !== undefined && matches(stored, (await readEffective(tx, file)).campaign)
}

async function applyFile(tx: Tx, file: CampaignFile): Promise<void> {
  const before = await lockStored(tx, file.id)
  if (!before) throw new Error(`The campaign ${file.id} is gone.`)
  // Read under the lock, which every change of an override takes as well.
  const { campaign } = await readEffective(tx, file)
  if (matches(before, campaign)) return
  await refuseBrokenPromises(tx, before, campaign)
  await storeSettings(tx, { before, campaign, actor: null })
}

async function refuseBrokenPromises(tx: Tx, before: StoredCampaign, campaign: CampaignFile): Promise<void> {
  const { settings } = before
  const situation = await readSituation(tx, settings ?? campaign)
  // For a campaign stored without settings, the only known promise is about the slots that are taken.
  const known = settings ? situation : { ...situation, hasOpened: false, hasClaims: false, isFrozen: false }
  const lines = brokenPromises(announcedBy(before), campaign, known).map(
    (problem) => `The campaign file breaks a promise to participants: ${problemIn(problem)}`,
  )
  if (lines.length > 0) throw new Misconfigured(lines.join('\n'))
}
