import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type HasCampaign, perCampaign } from '#server/domain/campaign/live-campaign.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import { sendAnswer } from '#server/platform/http/public-answers/public-answers.ts'
import { CROSS_ORIGIN } from '#server/platform/http/security/security-headers.ts'
import { brandCss } from './brand-css.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Serves the style sheet of the campaign's own look, also to `/check`, which has no origin.
 * @returns reads its URL, of the campaign as it is now; undefined for the product's own look.
 */
export function serveBrand(app: FastifyInstance, live: HasCampaign): () => string | undefined {
  const read = perCampaign(live, (campaign) => {
    const css = brandCss(campaign)
    if (css === undefined) return undefined
    const url = `/look/${createHash('sha256').update(css).digest('hex').slice(0, 16)}.css`
    const about = {
      type: 'text/css; charset=utf-8',
      headers: { ...CROSS_ORIGIN, 'cache-control': FOR_EVER },
      compression: 'best',
    } as const
    return { url, answer: createAnswer(css, about) }
  })
  app.get<{ Params: { file: string } }>('/look/:file', async (request, reply) => {
    const brand = read()
    // A page from before the last change links the former sheet; it gets the new colors when it is loaded again.
    if (brand?.url !== `/look/${request.params.file}`) return reply.callNotFound()
    return sendAnswer(request, reply, await brand.answer)
  })
  return () => read()?.url
}
