import type { FastifyInstance, FastifyReply } from 'fastify'
import { type HasCampaign, perCampaign } from '#server/domain/campaign/live-campaign.ts'
import type { ShareCards } from '#web/site/site-context.ts'
import { createPictures, digest, type Drawing, type Pictures, type ReadPng } from './pictures.ts'
import { shareCards } from './share-cards.ts'
import { CROSS_ORIGIN } from '../../platform/http/security/security-headers.ts'

const ICONS: readonly Drawing[] = [
  { url: '/icon-192.png', icon: { size: 192, fill: 1, onPaper: false } },
  { url: '/icon-512.png', icon: { size: 512, fill: 1, onPaper: false } },
  { url: '/icon-maskable-512.png', icon: { size: 512, fill: 0.62, onPaper: true } },
  { url: '/apple-touch-icon.png', icon: { size: 180, fill: 0.78, onPaper: true } },
]

const DAY = 'public, max-age=86400'
const FOR_EVER = 'public, max-age=31536000, immutable'

/** The pictures now, and those before the last change: pages that visitors have open show the latter. */
const SETS_KEPT = 2

type PictureSet = { key: string; urls: ReadonlySet<string>; pictures: Promise<Pictures> }
type Options = { publicUrl: string; readPng?: ReadPng; folder?: string }

/**
 * Serves share pictures and icons. They are drawn after the server listens, so that the start does not wait for
 * them, and again when a setting that they show has changed; cached in `folder`.
 * @returns reads the picture of each route, of the campaign as it is now.
 */
export function servePictures(
  app: FastifyInstance,
  live: HasCampaign,
  { publicUrl, folder, readPng }: Options,
): () => ShareCards {
  /** Newest first. */
  const sets: PictureSet[] = []
  let isListening = false
  let isClosing = false
  const draw = async ({ pictures }: PictureSet) => {
    await (await pictures).draw().catch((error: unknown) => {
      if (!isClosing) app.log.error({ err: error }, 'not all pictures could be drawn and saved')
    })
  }
  const readCards = perCampaign(live, (campaign) => {
    const { drawings, cards } = shareCards(campaign, publicUrl)
    const all = [...drawings, ...ICONS.map((icon) => ({ ...icon, look: campaign.look }))]
    const key = digest(all)
    if (sets[0]?.key === key) return cards
    const set = {
      key,
      urls: new Set(all.map(({ url }) => url)),
      pictures: createPictures(all, folder, readPng),
    }
    sets.unshift(set)
    for (const { pictures } of sets.splice(SETS_KEPT)) void pictures.then((old) => old.close())
    if (isListening) void draw(set)
    return cards
  })
  const send = async (reply: FastifyReply, url: string, cache: string) => {
    readCards()
    const set = sets.find(({ urls }) => urls.has(url))
    if (!set) return reply.callNotFound()
    const png = await (await set.pictures).get(url)
    return reply
      .headers({ ...CROSS_ORIGIN, 'cache-control': cache })
      .type('image/png')
      .send(png)
  }
  app.get<{ Params: { name: string } }>('/pictures/:name', ({ params }, reply) =>
    send(reply, `/pictures/${params.name}`, FOR_EVER),
  )
  for (const { url } of ICONS) app.get(url, (_request, reply) => send(reply, url, DAY))
  readCards()
  app.addHook('onListen', async () => {
    isListening = true
    if (sets[0]) void draw(sets[0])
  })
  app.addHook('onClose', async () => {
    isClosing = true
    await Promise.all(sets.map(async ({ pictures }) => (await pictures).close()))
  })
  return readCards
}
