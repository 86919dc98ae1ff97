import type { FastifyInstance } from 'fastify'
import { type Locale, LOCALES, localizedPath } from '#contract/locales.ts'
import { invitationPicture } from '#web/routes.ts'
import type { LinkPreview } from '#web/site/site-context.ts'
import type { CampaignSource } from '../domain/campaign/live-campaign.ts'
import { campaignIn } from '../domain/campaign/localized-campaign.ts'
import { textsIn } from '../messages/catalogue.ts'
import type { ReadPng } from './pictures/pictures.ts'
import type { ShareCard } from './pictures/share-card.ts'
import { networkOf } from '../platform/limits/network.ts'
import { createInvitationPictures } from './pictures/invitation-pictures.ts'
import { CROSS_ORIGIN } from '../platform/http/security/security-headers.ts'

/** Finds the owner of a referral code; undefined for an unknown code. */
export type FindInviter = (code: string) => Promise<{ username: string } | undefined>

/** The preview of a referral link, and the card that its picture shows. */
export type Invitation = { shared: LinkPreview; card: ShareCard }
/** @param locale the language of the shared address. */
export type ReadInvitation = (code: unknown, locale: Locale) => Promise<Invitation | undefined>

const CODE_PATTERN = '^[A-Za-z0-9]{1,40}$'
const CODE = new RegExp(CODE_PATTERN)

/** Creates a reader of the preview of a referral link; it returns undefined for an unknown code. */
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

/** Serves the preview picture of each invitation. */
export function serveInvitations(
  app: FastifyInstance,
  readInvitation: ReadInvitation,
  drawing: { countDrawing: (network: string) => Promise<void>; readPng?: ReadPng | undefined },
) {
  const pictures = createInvitationPictures(drawing)
  app.addHook('onClose', () => pictures.close())
  for (const locale of LOCALES)
    app.get<{ Params: { code: string } }>(
      localizedPath(locale, invitationPicture(`:code(${CODE_PATTERN})`)),
      // Pictures have a lane of their own, so that a network's pages do not queue behind them.
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
