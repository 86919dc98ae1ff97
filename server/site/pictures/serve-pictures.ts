import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DEFAULT_LOCALE, type Locale, LOCALES, localizedPath } from '#contract/locales.ts'
import { type CampaignSource, perCampaign } from '#server/domain/campaign/live-campaign.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import type { ShareCards } from '#web/site/site-context.ts'
import { createPictures, digest, type Drawing, type Pictures, type ReadPng } from './pictures.ts'
import { shareCards } from './share-cards.ts'
import { CACHE_FOREVER } from '#server/platform/http/public-answers/answer.ts'
import { CROSS_ORIGIN } from '#server/platform/http/security/security-headers.ts'

/** On paper, the logo leaves room for the shape to which a system cuts the icon. */
const ICONS: readonly Drawing[] = [
  { url: '/icon-192.png', icon: { size: 192, coverage: 1, onPaper: false } },
  { url: '/icon-512.png', icon: { size: 512, coverage: 1, onPaper: false } },
  { url: '/icon-maskable-512.png', icon: { size: 512, coverage: 0.62, onPaper: true } },
  { url: '/apple-touch-icon.png', icon: { size: 180, coverage: 0.78, onPaper: true } },
]

const CACHE_FOR_A_DAY = 'public, max-age=86400'

/** The current set of pictures and the previous one, which open pages still show. */
const SETS_KEPT = 2

type Options = { publicUrl: string; readPng?: ReadPng | undefined; folder?: string | undefined }

/**
 * Serves share pictures and icons, cached in `folder`. Pictures in the default language are drawn once the
 * server listens, so that they do not delay the start, and again when a setting that they show changes. All
 * pictures in another language are drawn when one of them is first requested.
 * @returns a function that reads the picture of each route in a language, for the current campaign.
 */
export function servePictures(
  app: FastifyInstance,
  live: CampaignSource,
  options: Options,
): (locale: Locale) => ShareCards {
  let isListening = false
  const onFailure = (error: unknown) =>
    app.log.error({ err: error }, 'not all pictures could be drawn and saved')
  const draw = (pictures: Pictures) => void pictures.draw().catch(() => {}) // reported by onFailure
  const drawIfListening = (pictures: Pictures) => {
    if (isListening) draw(pictures)
  }
  const setsByLocale = new Map<Locale, PictureSets>()
  for (const locale of LOCALES) {
    const onNew = locale === DEFAULT_LOCALE ? drawIfListening : () => {}
    setsByLocale.set(locale, createPictureSets(live, locale, { ...options, onNew, onFailure }))
  }
  const defaultSets = setsByLocale.get(DEFAULT_LOCALE)
  const send = async (reply: FastifyReply, sets: PictureSets | undefined, url: string, cache: string) => {
    const pictures = sets?.find(url)
    if (!pictures) return reply.callNotFound()
    const png = await pictures.get(url)
    return reply
      .headers({ ...CROSS_ORIGIN, 'cache-control': cache })
      .type('image/png')
      .send(png)
  }
  for (const [locale, sets] of setsByLocale)
    app.get<{ Params: { name: string } }>(
      localizedPath(locale, '/pictures/:name'),
      ({ params: { name } }, reply) =>
        send(reply, sets, localizedPath(locale, `/pictures/${name}`), CACHE_FOREVER),
    )
  for (const { url } of ICONS)
    app.get(url, (_request, reply) => send(reply, defaultSets, url, CACHE_FOR_A_DAY))
  // Adds the first set. It is drawn once the server listens.
  defaultSets?.refresh()
  app.addHook('onListen', async () => {
    isListening = true
    const pictures = defaultSets?.newest()
    if (pictures) draw(pictures)
  })
  app.addHook('onClose', async () => {
    await Promise.all(Array.from(setsByLocale.values(), (sets) => sets.close()))
  })
  return (locale) => setsByLocale.get(locale)?.refresh() ?? {}
}

type PictureSet = { key: string; urls: ReadonlySet<string>; pictures: Pictures }

type PictureSets = ReturnType<typeof createPictureSets>

type SetOptions = Options & {
  /** Called with the first set, and with another whenever the content of the pictures has changed. */
  onNew: (pictures: Pictures) => void
  onFailure: (error: unknown) => void
}

function createPictureSets(
  live: CampaignSource,
  locale: Locale,
  { publicUrl, folder, readPng, onNew, onFailure }: SetOptions,
) {
  const isDefault = locale === DEFAULT_LOCALE
  const localeFolder = folder === undefined || isDefault ? folder : path.join(folder, locale)
  /** Newest first. */
  const sets: PictureSet[] = []
  /** Adds a set if a new version of the campaign changes pictures. @returns each route's picture. */
  const refresh = perCampaign(live, (campaign) => {
    const { drawings: cardDrawings, cards } = shareCards(campaignIn(campaign, locale), locale, publicUrl)
    const icons = isDefault ? ICONS.map((icon) => ({ ...icon, look: campaign.look })) : []
    const drawings = [...cardDrawings, ...icons]
    const key = digest(drawings)
    if (sets[0]?.key === key) return cards
    const set = {
      key,
      urls: new Set(drawings.map(({ url }) => url)),
      pictures: createPictures(drawings, { folder: localeFolder, readPng, onFailure }),
    }
    sets.unshift(set)
    for (const { pictures } of sets.splice(SETS_KEPT)) void pictures.close()
    onNew(set.pictures)
    return cards
  })
  return {
    refresh,
    newest: () => sets[0]?.pictures,
    find(url: string) {
      // After a change, a picture may be requested before any page that shows it.
      refresh()
      return sets.find(({ urls }) => urls.has(url))?.pictures
    },
    async close() {
      await Promise.all(sets.map(({ pictures }) => pictures.close()))
    },
  }
}
