import { PAUSED } from '#server/platform/outbound/http-client.ts'
import { couldNotTell, explainFailure, fine, wrong } from '../finding.ts'
import { type Check, onCampaign } from '../subject.ts'
import { linesOf } from '../texts.ts'

const say = linesOf('price')

export const price: Check = {
  name: 'price',
  reads: ['PRICE_API_URL'],
  examine: (subject) =>
    onCampaign(subject, async (campaign) => {
      const reply = await subject.fetchPrice(campaign)()
      if ('pairs' in reply)
        return fine(say('fine', { pairs: reply.pairs.length }), reply.pairs.length > 0 ? [] : [say('noPair')])
      if (reply.unclear === PAUSED) return couldNotTell(say('paused'))
      const { host } = new URL(subject.environment.config.priceApiUrl)
      const why = explainFailure(reply.unclear, { host, setting: 'PRICE_API_URL' })
      // If the service is busy or limits our calls, its address may be right.
      return /^answered (429|5\d\d)$/.test(reply.unclear)
        ? couldNotTell(say('busy', { reason: reply.unclear }))
        : wrong([why ? say('unreachable', { why }) : say('failed', { reason: reply.unclear })])
    }),
}
