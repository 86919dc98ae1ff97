import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import type { ReadProofs } from '../domain/proofs/read-proofs.ts'
import type { PublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { type FindInviter, invitationReader, serveInvitations } from './invitations.ts'
import { servePublicFiles } from './public-files.ts'
import { servePictures } from './pictures/serve-pictures.ts'

export type SiteOptions = {
  campaign: CampaignFile
  /** The origin that visitors see. */
  publicUrl: string
  /** Serves from source through Vite, with hot reload, instead of from the build. */
  dev: boolean
  /** Where pictures are cached between starts; without it they are drawn at each. */
  dataDir?: string | undefined
  findInviter: FindInviter
  /** Counts a drawing toward a network's rate limit; throws when it is exceeded. */
  countDrawing: (network: string) => Promise<void>
  readHeads: ReadHeads
  readProofs: ReadProofs
  publicAnswers: PublicAnswers
}

/** Paths below which an unknown one is not answered with a page. */
const EXCLUDED = /^\/(api|dev|assets)([/?]|$)/

/**
 * Serves marketing pages, the application's shell, the built assets and an HTML page for unknown addresses.
 * Without `dev` it needs `dist/` (`npm run build`); everything is rendered and compressed here, once.
 */
export async function registerSite(app: FastifyInstance, options: SiteOptions) {
  const { campaign, dev, dataDir, readHeads, readProofs, publicAnswers } = options
  const publicUrl = options.publicUrl.replace(/\/+$/, '')
  const folder = dataDir === undefined ? {} : { folder: path.join(dataDir, 'pictures') }
  const settings = {
    campaign,
    publicUrl,
    cards: await servePictures(app, { campaign, publicUrl, ...folder }),
  }
  await servePublicFiles(app, campaign, publicUrl, publicAnswers)
  const readInvitation = invitationReader(campaign, publicUrl, options.findInviter)
  serveInvitations(app, readInvitation, options.countDrawing)
  if (dev) {
    const { serveFromVite } = await import('./vite-site.ts')
    await serveFromVite(app, settings, { excluded: EXCLUDED, readHeads, readProofs })
  } else {
    const { serveFromBuild } = await import('./built-site.ts')
    const parts = { excluded: EXCLUDED, readInvitation, readHeads, readProofs, publicAnswers }
    await serveFromBuild(app, settings, parts)
  }
}
