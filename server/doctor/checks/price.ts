import { PAUSED } from '#server/platform/http-client.ts'
import { couldNotTell, fine, wrong } from '../finding.ts'
import { explainFailure } from '../failures.ts'
import { type Check, onCampaign } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { price: words } = WORDS

export const price: Check = {
  name: 'price',
  needs: ['PRICE_API_URL'],
  examine: (subject) =>
    onCampaign(subject, async (campaign) => {
      const found = await subject.fetchPrice(campaign)()
      if ('pairs' in found)
        return fine(words.fine(found.pairs.length), found.pairs.length > 0 ? [] : [words.noPair])
      if (found.unclear === PAUSED) return couldNotTell(words.paused)
      const { host } = new URL(subject.environment.config.priceApiUrl)
      const why = explainFailure(found.unclear, { host, setting: 'PRICE_API_URL' })
      // Busy, or asked too often: that says nothing about whether the address is right.
      return /^answered (429|5\d\d)$/.test(found.unclear)
        ? couldNotTell(words.busy(found.unclear))
        : wrong([why ? words.unreachable(why) : words.failed(found.unclear)])
    }),
}
