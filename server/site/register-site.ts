import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ReadHeads } from '../journal/heads.ts'
import { type FindInviter, invitationReader } from './invitations.ts'
import { servePublicFiles } from './public-files.ts'
import { serveInvitations } from './serve-invitations.ts'
import { servePictures } from './serve-pictures.ts'

export type SiteOptions = {
  campaign: CampaignFile
  /** The origin visitors see. */
  publicUrl: string
  /** Pages are rendered for every request by Vite, with hot reload, instead of from the build. */
  dev: boolean
  /** Where pictures are kept for the next start; without it they are drawn at each. */
  dataDir?: string | undefined
  findInviter: FindInviter
  /** Counts a picture that has to be drawn for a network; throws when it had too many. */
  countDrawing: (network: string) => Promise<void>
  /** What the journal's page shows. */
  readHeads: ReadHeads
}

/** Paths that belong to others: unknown ones below them are not answered with a page. */
const NOT_OURS = /^\/(api|dev|assets)([/?]|$)/

/**
 * Serves marketing pages, the application's shell, the built assets and an HTML page for unknown addresses.
 * Without `dev` it needs `dist/`, made by `tools/build.ts`; everything is rendered and compressed once, here.
 */
export async function registerSite(app: FastifyInstance, options: SiteOptions) {
  const { campaign, dev, dataDir } = options
  const publicUrl = options.publicUrl.replace(/\/+$/, '')
  const folder = dataDir === undefined ? {} : { folder: path.join(dataDir, 'pictures') }
  const settings = {
    campaign,
    publicUrl,
    cards: await servePictures(app, { campaign, publicUrl, ...folder }),
  }
  await servePublicFiles(app, campaign, publicUrl)
  const readInvitation = invitationReader(campaign, publicUrl, options.findInviter)
  serveInvitations(app, readInvitation, options.countDrawing)
  if (dev) {
    const { serveFromVite } = await import('./vite-site.ts')
    await serveFromVite(app, settings, { notOurs: NOT_OURS, readHeads: options.readHeads })
  } else {
    const { serveFromBuild } = await import('./built-site.ts')
    await serveFromBuild(app, settings, { notOurs: NOT_OURS, readInvitation, readHeads: options.readHeads })
  }
}
