import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { createLiveCampaign } from '#server/domain/campaign/live-campaign.ts'
import { appeal } from '#server/domain/claims/appeal.ts'
import { readOwnClaim } from '#server/domain/claims/own-claim.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { readSlots } from '#server/domain/campaign/read-campaign.ts'
import { campaignWith } from '../database/races.ts'
import { testNode } from '../deps.ts'
import { createUsers, type TestUser } from './create-users.ts'
import { freshProof } from './proof.ts'
import { reviewerOn } from './reviewer.ts'

/** A campaign with few slots, four participants and a reviewer. */
export async function slotScene(t: TestContext, { slots = 1 } = {}) {
  const { deps } = await testNode(t, campaignWith({ slots }))
  const { db, campaign } = deps
  const [ann, ben, cleo, dan] = await createUsers(db, campaign.id, 4)
  const [adm] = await createUsers(db, campaign.id, 1, { role: 'admin' })
  const reviewer = reviewerOn(deps, adm)
  return {
    deps,
    ann,
    ben,
    cleo,
    dan,
    adm,
    reviewer,
    /** Rejects a claim for a reason that frees its slot at once. */
    rejectFinally: (claimId: string) => reviewer.reject(claimId, { reason: 'automated' }),
    countLeft: async () => (await readSlots(db, campaign.id)).left,
    ownClaimOf: ({ id }: TestUser) => readOwnClaim(deps, id),
    sendAppeal: ({ id: userId }: TestUser, claimId: string) =>
      appeal(deps, { userId, claimId, text: 'Please look again.' }),
  }
}

/** @returns the claim's id. */
export const claim = async (deps: Deps, { id }: TestUser): Promise<string> =>
  (await submitProof(deps, id, freshProof()))._id

/** Rejects claims only in the database: their slots are kept for a day, but nothing is journaled or mailed. */
export const rejectKeepingSlots = ({ db }: Deps, claimIds: readonly string[]) =>
  sql`
    with rejected as (
      update claims set status = 'rejected', reason_code = 'other', decided_at = now()
      where id = any(${claimIds}::uuid[]) returning id, campaign_id, slot),
    recorded as (
      insert into claim_events (id, claim_id, what) select gen_random_uuid(), id, 'rejected' from rejected)
    update slots s set state = 'kept', until = now() + interval '24 hours' from rejected r
    where s.campaign_id = r.campaign_id and s.number = r.slot`.execute(db)

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

export const expireAll = ({ db, campaign }: Deps) =>
  sql`
    update slots set until = now() where campaign_id = ${campaign.id} and until is not null`.execute(db)

export const setSlots = ({ db, campaign }: Deps, total: number) =>
  db.updateTable('campaigns').set({ slots_total: total }).where('id', '=', campaign.id).execute()

export const addToWaitingList = ({ db, campaign }: Deps, people: readonly TestUser[]) =>
  db
    .insertInto('waiting_list')
    .values(people.map(({ id }) => ({ campaign_id: campaign.id, user_id: id })))
    .execute()

export const OVER = { opensAt: '2020-01-01T00:00:00Z', closesAt: '2020-02-01T00:00:00Z' }

/** The same node after the campaign's end. */
export function closed(deps: Deps): Deps {
  const campaign = { ...deps.campaign, airdrop: { ...deps.campaign.airdrop, ...OVER } }
  return { ...deps, campaign, liveCampaign: createLiveCampaign(deps.db, campaign) }
}
