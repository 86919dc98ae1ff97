import type { FastifyInstance } from 'fastify'
import { type Locale, LOCALES, localizedPath } from '#contract/locales.ts'
import { invitationPicture } from '#web/routes.ts'
import type { LinkPreview } from '#web/site/site-context.ts'
import type { CampaignSource } from '../domain/campaign/live-campaign.ts'
import { campaignIn } from '../domain/campaign/localized-campaign.ts'
import { textsIn } from '../messages/catalogue.ts'
import { CROSS_ORIGIN } from '../platform/http/security/security-headers.ts'
import { createFairQueue, type QueueLimits } from '../platform/limits/fair-queue.ts'
import { networkOf, widestNetwork } from '../platform/limits/network.ts'
import type { RateLimit } from '../platform/limits/rate-limiter.ts'
import { Refusal } from '../platform/refusal.ts'
import { createDrawingThread, type DrawingThread } from './pictures/drawing-thread.ts'
import { digest, drawingJobOf, type ReadPng } from './pictures/pictures.ts'
import type { ShareCard } from './pictures/share-card.ts'

export type FindInviter = (code: string) => Promise<{ username: string } | undefined>

/** The preview of a referral link, and the contents of its picture. */
type Invitation = { shared: LinkPreview; card: ShareCard }
/** Resolves to undefined for an unknown code. @param locale the language of the shared URL. */
export type ReadInvitation = (code: unknown, locale: Locale) => Promise<Invitation | undefined>

const CODE_PATTERN = '^[A-Za-z0-9]{1,40}$'
const CODE = new RegExp(CODE_PATTERN)

export function invitationReader(
  live: CampaignSource,
  publicUrl: string,
  findInviter: FindInviter,
): ReadInvitation {
  return async (codeInLink, locale) => {
    if (typeof codeInLink !== 'string' || !CODE.test(codeInLink)) return undefined
    const inviter = await findInviter(codeInLink)
    if (!inviter) return undefined
    const { token, chain, texts, look } = campaignIn(live.campaign, locale)
    const { CARD, INVITATION } = textsIn(locale)
    const code = codeInLink.toUpperCase()
    const card: ShareCard = {
      locale,
      headline: INVITATION.headline({ username: inviter.username }),
      text: texts.airdrop,
      brand: [token.name, `${chain.name} ${chain.id}`],
      foot: INVITATION.foot({ host: new URL(publicUrl).host, code }),
      symbol: token.symbol,
      look,
    }
    const title = INVITATION.title({ username: inviter.username, token: token.name })
    const url = localizedPath(locale, invitationPicture(code))
    return { card, shared: { title, card: { url, alt: CARD.alt({ headline: title, text: card.text }) } } }
  }
}

const CACHE_FOR_AN_HOUR = 'public, max-age=3600'

export function serveInvitations(
  app: FastifyInstance,
  readInvitation: ReadInvitation,
  drawing: DrawingOptions,
) {
  const pictures = createInvitationPictures(drawing)
  app.addHook('onClose', () => pictures.close())
  for (const locale of LOCALES)
    app.get<{ Params: { code: string } }>(
      localizedPath(locale, invitationPicture(`:code(${CODE_PATTERN})`)),
      // Requests of a network queue in lanes. In a lane of their own, pictures do not delay the pages.
      { config: { lane: 'pictures' } },
      async ({ params, ip }, reply) => {
        const invitation = await readInvitation(params.code, locale)
        if (!invitation) return reply.callNotFound()
        const png = await pictures.get(invitation.card, networkOf(ip))
        return reply
          .headers({ ...CROSS_ORIGIN, 'cache-control': CACHE_FOR_AN_HOUR })
          .type('image/png')
          .send(png)
      },
    )
}

/** The number of pictures cached in memory. A picture has about 50 kB. */
const CACHE_SIZE = 200
/** How long the thread, which takes about 50 MB with its fonts, waits for another drawing. */
const KEEP_THREAD_MS = 60_000
/** Pictures are drawn one at a time. Each takes 30 ms of one core, the first 700 ms. */
const LIMITS: QueueLimits = { concurrency: 1, maxWaiting: 16, maxWaitingPerCaller: 6, timeoutMs: 15_000 }
/** Drawings per network. Sites on which links are shared request many. */
export const DRAWINGS: RateLimit = { take: 30, seconds: 600 }

type DrawingOptions = {
  /** Counts a drawing toward the network's rate limit. @throws when the limit is exceeded. */
  countDrawing: (network: string) => Promise<void>
  /** Reads the campaign's logo and mascot. */
  readPng?: ReadPng | undefined
  /** Replaces the worker thread in tests. */
  draw?: (card: ShareCard) => Promise<Uint8Array>
}

/** Draws pictures of invitations on demand in a worker thread, which uses at most half a core. */
export function createInvitationPictures({
  countDrawing,
  readPng = async () => undefined,
  draw,
}: DrawingOptions) {
  const cache = new Map<string, Promise<Uint8Array>>()
  const thread = createDrawingThread(KEEP_THREAD_MS)
  const queue = createFairQueue(LIMITS)
  let lastDrawing: Promise<unknown> = Promise.resolve()

  async function drawInTurn(card: ShareCard, network: string): Promise<Uint8Array> {
    await countDrawing(network)
    const leave = await queue.enter({ lane: 'pictures', caller: widestNetwork(network) })
    const startedAt = performance.now()
    const drawn = draw?.(card) ?? drawOn(thread, card, readPng)
    lastDrawing = drawn.catch(() => {})
    // Pauses for as long as the drawing took, so that drawing uses at most half a core.
    return drawn.finally(() => setTimeout(leave, performance.now() - startedAt).unref())
  }

  return {
    /**
     * The picture of a card as PNG. It is drawn for the first request and cached.
     * @param network the caller's network. Networks take turns, and each has its own rate limit.
     * @throws refusal `rate_limited` if the network requests too many pictures, or `unavailable` if all
     * networks together do.
     */
    async get(card: ShareCard, network: string): Promise<Uint8Array> {
      const key = digest(card)
      // If the drawing was refused because of another caller's network, this caller tries with its own.
      let cached = cache.get(key)
      while (cached && (await isRefused(cached))) cached = cache.get(key)
      const picture = cache.get(key) ?? drawInTurn(card, network)
      // Re-inserted, so that the least recently used picture comes first.
      cache.delete(key)
      cache.set(key, picture)
      picture.catch(() => {
        if (cache.get(key) === picture) cache.delete(key)
      })
      const [oldest] = cache.keys()
      if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest)
      return picture
    },
    async close() {
      await thread.close()
      await lastDrawing
    },
  }
}

const isRefused = (picture: Promise<unknown>): Promise<boolean> =>
  picture.then(
    () => false,
    (error: unknown) => error instanceof Refusal,
  )

async function drawOn(thread: DrawingThread, card: ShareCard, readPng: ReadPng): Promise<Uint8Array> {
  const job = await drawingJobOf([{ url: 'invitation', card }], readPng)
  return new Promise((resolve, reject) => {
    thread.draw(job, ({ png }) => resolve(png)).catch(reject)
  })
}
