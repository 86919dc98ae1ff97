import * as contract from '#contract/dashboard/announcements.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { listAnnouncements, readAnnouncement } from './announcement.ts'
import { readConsent, setConsent } from './consent.ts'
import { changeDraft, createDraft, deleteDraft, renderPreview, sendTest } from './drafts.ts'
import { startAnnouncement, stopAnnouncement } from './sending.ts'

export function announcementRoutes(deps: Deps, { publicUrl }: { publicUrl: string }): Route[] {
  const { db } = deps
  const reply = async (id: string, message: string) => ({ data: await readAnnouncement(db, id), message })
  const attributionOf = ({ caller, network }: { caller: { userId: string }; network: string }) => ({
    actor: caller.userId,
    network,
  })
  return [
    route(contract.announcementConsent, async ({ caller }) => ({
      data: { wanted: await readConsent(db, caller.userId) },
    })),
    route(contract.setAnnouncementConsent, async ({ body: { wanted }, caller }) => {
      await setConsent(db, caller.userId, wanted)
      return {
        data: { wanted },
        message: wanted ? messages.announcementsWanted : messages.announcementsUnwanted,
      }
    }),
    route(contract.listAnnouncements, () => listAnnouncements(db)),
    route(contract.createAnnouncement, async (call) =>
      reply(await createDraft(deps, call.body, attributionOf(call)), messages.announcementSaved),
    ),
    route(contract.changeAnnouncement, async (call) => {
      await changeDraft(deps, call.params.id, call.body, attributionOf(call))
      return reply(call.params.id, messages.announcementSaved)
    }),
    route(contract.deleteAnnouncement, async (call) => {
      await deleteDraft(deps, call.params.id, call.query.updatedAt, attributionOf(call))
      return { message: messages.announcementDeleted }
    }),
    route(contract.previewAnnouncement, async ({ body, caller }) => ({
      data: await renderPreview(deps, { ...body, publicUrl, userId: caller.userId }),
    })),
    route(contract.testAnnouncement, async (call) => {
      await sendTest(deps, call.params.id, attributionOf(call))
      return { message: messages.announcementTested }
    }),
    route(contract.sendAnnouncement, async (call) => {
      await startAnnouncement(deps, { id: call.params.id, ...call.body }, attributionOf(call))
      return reply(call.params.id, messages.announcementSending)
    }),
    route(contract.stopAnnouncement, async (call) => {
      await stopAnnouncement(deps, call.params.id, attributionOf(call))
      return reply(call.params.id, messages.announcementStopped)
    }),
  ]
}
