import * as contract from '#contract/campaign.ts'
import * as lists from '#contract/campaigns.ts'
import * as life from '#contract/dashboard/campaign-life.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { type Caller, publicRoute, route, type Route } from '#server/platform/http/route.ts'
import { refuseField } from '#server/platform/refusal.ts'
import { readBoard } from '../leaderboard/read-board.ts'
import { addSlots, close, extend } from '../settings/campaign-dates.ts'
import { archive } from './archive.ts'
import { findCampaign, listCampaigns, readLife, readOwnCampaigns, readRecord } from './campaign-records.ts'
import { pause, resume } from './pause.ts'
import { readCampaign } from './read-campaign.ts'
import type { ReadResults } from './read-results.ts'

export const campaignRoutes = (deps: Deps, readResults: ReadResults): Route[] => [
  publicRoute(contract.campaign, async () => ({
    data: await deps.publicReads.read((db) => readCampaign({ db, campaign: deps.campaign }, readResults)),
  })),
  publicRoute(lists.campaigns, async () => ({
    data: await deps.publicReads.read((db) => listCampaigns(db, { campaign: deps.campaign, readResults })),
  })),
  publicRoute(lists.campaignRecord, async ({ params }) => ({
    data: await deps.publicReads.read((db) =>
      readRecord(db, params.id, { campaign: deps.campaign, readResults }),
    ),
  })),
  publicRoute(lists.campaignLeaderboard, ({ params, query }) =>
    deps.publicReads.read(async (db) => {
      const { id } = await findCampaign(db, deps.campaign, params.id)
      return readBoard(db, id, query)
    }),
  ),
  route(lists.ownCampaigns, async ({ caller: { userId }, locale }) => ({
    data: await readOwnCampaigns(deps.db, deps.campaign, { userId, locale }),
  })),
  ...lifeRoutes(deps),
]

/** `runSoon('slots')` reallocates slots at once. The server also does this every second. */
const lifeRoutes = (deps: Deps): Route[] => [
  route(life.campaignLife, async () => ({ data: await readLife(deps) })),
  route(life.pauseCampaign, async ({ body, caller, network }) => {
    const before = await pause(deps, { ...body, ...by(caller, network) })
    return { data: await readLife(deps), message: before ? messages.noticeChanged : messages.campaignPaused }
  }),
  route(life.resumeCampaign, async ({ caller, network }) => {
    await resume(deps, by(caller, network))
    deps.runSoon('slots')
    return { data: await readLife(deps), message: messages.campaignResumed }
  }),
  route(life.extendCampaign, async ({ body, caller, network }) => {
    await extend(deps, body.closesAt, by(caller, network))
    return { data: await readLife(deps), message: messages.campaignExtended }
  }),
  route(life.addSlots, async ({ body, caller, network }) => {
    await addSlots(deps, body.slots, by(caller, network))
    deps.runSoon('slots')
    return { data: await readLife(deps), message: messages.slotsAdded }
  }),
  route(life.closeCampaign, async ({ body, caller, network }) => {
    refuseUnlessConfirmed(deps, body.campaign)
    await close(deps, by(caller, network))
    deps.runSoon('slots')
    return { data: await readLife(deps), message: messages.campaignClosed }
  }),
  route(life.archiveCampaign, async ({ body, caller, network }) => {
    refuseUnlessConfirmed(deps, body.campaign)
    await archive(deps, by(caller, network))
    return { data: await readLife(deps), message: messages.campaignArchived }
  }),
]

const by = ({ userId }: Caller, network: string) => ({ actor: userId, network })

/** @param confirmation the campaign's id, which administrators type to confirm what cannot be undone. */
function refuseUnlessConfirmed({ campaign }: Deps, confirmation: string): void {
  if (confirmation.trim() !== campaign.id) throw refuseField('campaign', 'campaign_id')
}
