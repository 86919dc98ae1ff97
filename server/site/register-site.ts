import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { RenderDraft } from '../domain/settings/render-draft.ts'
import { serveLook } from './look/look-css.ts'
import { type FindInviter, invitationReader, serveInvitations } from './invitations.ts'
import { servePublicFiles } from './public-files.ts'
import type { ReadPng } from './pictures/pictures.ts'
import { servePictures } from './pictures/serve-pictures.ts'
import type { SiteParts, SiteSettings } from './site-parts.ts'

export type SiteOptions = Omit<SiteParts, 'excluded'> & {
  /** May change while the server runs, so it is read at each use. */
  readonly campaign: CampaignFile
  publicUrl: string
  endpoints: SiteSettings['endpoints']
  /** Serves from source through Vite, with hot reload, instead of from the build. */
  isDev: boolean
  /** Where pictures are cached. Without it they are drawn at every start. */
  dataDir?: string | undefined
  findInviter: FindInviter
  /** Counts a drawing toward a network's rate limit. @throws when the limit is exceeded. */
  countDrawing: (network: string) => Promise<void>
  /** Reads the PNG of a stored picture by its reference in a look. Without it, pictures show the mascot. */
  readPng?: ReadPng
}

/** Below these paths, an unknown URL gets a refusal in JSON, not a page. */
const EXCLUDED = /^\/(api|dev|assets)([/?]|$)/

/**
 * Serves pages and screens, their pictures and assets, and an HTML page for unknown URLs. Unless `isDev` is
 * set, it needs `dist/` (`npm run build`) and renders the pages in the default language at once.
 * @returns a function that renders a page of a draft of the campaign.
 */
export async function registerSite(app: FastifyInstance, options: SiteOptions): Promise<RenderDraft> {
  const { isDev, dataDir, publicAnswers, endpoints, readPng } = options
  const publicUrl = options.publicUrl.replace(/\/+$/, '')
  const folder = dataDir === undefined ? undefined : path.join(dataDir, 'pictures')
  const readCards = servePictures(app, options, { publicUrl, readPng, folder })
  const readLookStyle = serveLook(app, options)
  const settings = {
    get campaign() {
      return options.campaign
    },
    publicUrl,
    endpoints,
    readCards,
    get lookStyle() {
      return readLookStyle()
    },
  }
  await servePublicFiles(app, options, publicUrl, publicAnswers)
  const readInvitation = invitationReader(options, publicUrl, options.findInviter)
  serveInvitations(app, readInvitation, { countDrawing: options.countDrawing, readPng })
  const parts = { ...options, excluded: EXCLUDED, readInvitation }
  if (isDev) {
    const { serveFromVite } = await import('./vite/vite-site.ts')
    return serveFromVite(app, settings, parts)
  }
  const { serveFromBuild } = await import('./built/built-site.ts')
  return serveFromBuild(app, settings, parts)
}
