import { Readable } from 'node:stream'
import * as contract from '#contract/dashboard/settings.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { fileRoute, route, type Route } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { changeSettings, draftCampaign } from './change-settings.ts'
import { exportCampaign } from './export-campaign.ts'
import { listSettings } from './list-settings.ts'
import { type RenderDraft, prepareForSandbox } from './render-draft.ts'

/** @param readRenderer returns undefined while no site is loaded. */
export const settingRoutes = (deps: Deps, readRenderer: () => RenderDraft | undefined): Route[] => [
  route(contract.settings, async ({ locale }) => ({
    data: await listSettings(deps.db, deps.liveCampaign.file, locale),
  })),
  route(contract.changeSettings, async ({ body, caller, network, locale }) => {
    const { file } = deps.liveCampaign
    await changeSettings(deps.db, file, {
      ...body,
      changes: contract.narrowChanges(body.changes),
      keepsTranslations: true,
      actor: caller.userId,
      network,
    })
    // Other nodes apply the change within a second. This node's reply already shows it.
    await deps.liveCampaign.refresh()
    return { data: await listSettings(deps.db, file, locale), message: messages.settingsSaved }
  }),
  route(contract.previewSettings, async ({ body: { page, changes }, locale }) => {
    const campaign = await draftCampaign(deps.db, deps.liveCampaign.file, contract.narrowChanges(changes))
    const render = readRenderer()
    if (!render) throw refuse('unavailable')
    return { data: { html: prepareForSandbox(await render(page, campaign, locale)) } }
  }),
  fileRoute(contract.exportSettings, async ({ query: { format } }) => {
    const bytes = Readable.from([exportCampaign(deps.campaign, format)])
    // The endpoint declares the name and type of the TypeScript file.
    return format === 'ts' ? bytes : { name: 'campaign.json', type: 'application/json; charset=utf-8', bytes }
  }),
]
