import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ShareCards } from '#web/site/site-context.ts'
import { createPictures, type Drawing } from './pictures.ts'
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

/**
 * Serves share pictures and icons. They are drawn after the server listens, so that the start does not wait for
 * them, and cached in `folder`.
 * @returns the picture of each route.
 */
export async function servePictures(
  app: FastifyInstance,
  { campaign, publicUrl, folder }: { campaign: CampaignFile; publicUrl: string; folder?: string },
): Promise<ShareCards> {
  const { drawings, cards } = shareCards(campaign, publicUrl)
  const pictures = await createPictures([...drawings, ...ICONS], folder)
  for (const [list, cache] of [
    [drawings, FOR_EVER],
    [ICONS, DAY],
  ] as const)
    for (const { url } of list)
      app.get(url, async (_request, reply) =>
        reply
          .headers({ ...CROSS_ORIGIN, 'cache-control': cache })
          .type('image/png')
          .send(await pictures.get(url)),
      )
  let closing = false
  app.addHook('onListen', async () => {
    pictures.draw().catch((error: unknown) => {
      if (!closing) app.log.error({ err: error }, 'not all pictures could be drawn and saved')
    })
  })
  app.addHook('onClose', async () => {
    closing = true
    await pictures.close()
  })
  return cards
}
