import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { createLiveCampaign } from '#server/domain/campaign/live-campaign.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import type { TestUser } from './create-users.ts'
import { freshProof } from './proof.ts'

/** Claims a slot. @returns the claim's id. */
export const claim = async (deps: Deps, { id }: TestUser): Promise<string> =>
  (await submitProof(deps, id, freshProof()))._id

/** Moves the campaign's reservations and decisions a day into the past. */
export async function passADay({ db, campaign }: Deps): Promise<void> {
  await sql`
    update slots set until = until - interval '24 hours',
      until_without_appeal = until_without_appeal - interval '24 hours'
    where campaign_id = ${campaign.id} and until is not null`.execute(db)
  await sql`
    update claims set decided_at = decided_at - interval '24 hours'
    where campaign_id = ${campaign.id} and decided_at is not null`.execute(db)
}

/** Lets the campaign's reservations expire. */
export const expireAll = ({ db, campaign }: Deps) =>
  sql`
    update slots set until = now() where campaign_id = ${campaign.id} and until is not null`.execute(db)

/** Sets how many slots the campaign has. */
export const setSlots = ({ db, campaign }: Deps, total: number) =>
  db.updateTable('campaigns').set({ slots_total: total }).where('id', '=', campaign.id).execute()

/** Adds participants to the waiting list, in order. */
export const addToWaitingList = ({ db, campaign }: Deps, people: readonly TestUser[]) =>
  db
    .insertInto('waiting_list')
    .values(people.map(({ id }) => ({ campaign_id: campaign.id, user_id: id })))
    .execute()

/** The dates of an airdrop that has closed. */
export const OVER = { opensAt: '2020-01-01T00:00:00Z', closesAt: '2020-02-01T00:00:00Z' }

/** The node once its campaign is closed. */
export function closed(deps: Deps): Deps {
  const campaign = { ...deps.campaign, airdrop: { ...deps.campaign.airdrop, ...OVER } }
  return { ...deps, campaign, liveCampaign: createLiveCampaign(deps.db, campaign) }
}
