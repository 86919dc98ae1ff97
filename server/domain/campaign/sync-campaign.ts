import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { canonical, digest } from '../journal/chain.ts'
import { record } from '../journal/record.ts'
import { fillBoards, fillBoardSoon } from '../ledger/board.ts'

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

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The part of the settings that the journal seals: the amounts, and a digest of everything. */
function sealedSettings(file: CampaignFile, slots: number) {
  const { pointsPerTask, referralReward, referralsPaid } = file.airdrop
  return { settings: digest(file), slots, pointsPerTask, referralReward, referralsPaid }
}

/** Settings whose values differ, by path, as `airdrop.tasks.0.title`. */
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
