import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/dashboard/pictures.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { CACHE_FOREVER } from '#server/platform/http/public-answers/answer.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { CROSS_ORIGIN } from '#server/platform/http/security/security-headers.ts'
import { readPictureFile, storePicture } from './pictures.ts'

export const lookRoutes = ({ db }: Deps): Route[] => [
  route(contract.uploadPicture, async ({ params, upload, caller, network }) => {
    const stored = await storePicture(db, upload, params.part, { actor: caller.userId, network })
    return { message: messages.pictureStored, data: stored }
  }),
]

/** Serves stored pictures. Other origins may use them, because emails and link previews show them. */
export function addPictures(app: FastifyInstance, { publicReads }: Pick<Deps, 'publicReads'>): void {
  app.get<{ Params: { file: string } }>('/brand/:file', async ({ params }, reply) => {
    const picture = await publicReads.read((db) => readPictureFile(db, params.file))
    if (!picture) return reply.callNotFound()
    return reply
      .headers({ ...CROSS_ORIGIN, 'cache-control': CACHE_FOREVER })
      .type(picture.type)
      .send(picture.content)
  })
}
