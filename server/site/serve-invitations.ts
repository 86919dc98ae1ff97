import type { FastifyInstance } from 'fastify'
import { invitationPicture } from '#web/routes.ts'
import { networkOf } from '../platform/limits/network.ts'
import { createInvitationPictures } from './pictures/invitation-pictures.ts'
import type { ReadInvitation } from './invitations.ts'
import { CROSS_ORIGIN } from '../platform/http/security/security-headers.ts'

const AN_HOUR = 'public, max-age=3600'

/** Serves the preview picture of each invitation. */
export function serveInvitations(
  app: FastifyInstance,
  readInvitation: ReadInvitation,
  countDrawing: (network: string) => Promise<void>,
) {
  const pictures = createInvitationPictures({ countDrawing })
  app.addHook('onClose', () => pictures.close())
  app.get<{ Params: { code: string } }>(
    invitationPicture(':code(^[A-Za-z0-9]{1,40})'),
    // A lane of its own: a network's pages do not queue behind its pictures.
    { config: { lane: 'pictures' } },
    async ({ params, ip }, reply) => {
      const invitation = await readInvitation(params.code)
      if (!invitation) return reply.callNotFound()
      const png = await pictures.get(invitation.card, networkOf(ip))
      return reply
        .headers({ ...CROSS_ORIGIN, 'cache-control': AN_HOUR })
        .type('image/png')
        .send(png)
    },
  )
}
