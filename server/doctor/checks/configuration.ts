import { exposureProblems } from '#server/config/exposure.ts'
import { textsLacking } from '#server/domain/campaign/localized-campaign.ts'
import { fine, judged, wrong } from '../finding.ts'
import type { Check } from '../subject.ts'
import { WORDS } from '../texts.ts'

export const environment: Check = {
  name: 'environment',
  reads: [],
  examine({ environment: { config, problems, unusable } }) {
    // An unusable variable has its default in `config`, which must not be judged.
    const exposed = unusable.size > 0 ? [] : exposureProblems(config)
    const remarks = config.isProduction ? [] : [WORDS.environment.notProduction]
    return judged([...problems, ...exposed], WORDS.environment.fine, remarks)
  },
}

export const campaignFile: Check = {
  name: 'campaign file',
  reads: [],
  async examine(subject) {
    const campaign = await subject.campaign
    if ('problems' in campaign) return wrong(campaign.problems)
    const { token, airdrop, payout, id } = campaign
    const { campaign: words } = WORDS
    return fine(words.fine(id, subject.environment.config.campaignFile ?? 'campaign.config.ts'), [
      ...(token.placeholder ? [words.placeholder] : []),
      ...(Date.parse(airdrop.opensAt) > subject.now() ? [words.notOpen(airdrop.opensAt)] : []),
      ...(airdrop.closesAt !== null && Date.parse(airdrop.closesAt) < subject.now()
        ? [words.closed(airdrop.closesAt)]
        : []),
      ...(payout ? [] : [words.noPayout]),
      ...Array.from(textsLacking(campaign), ([locale, paths]) => words.lacking(locale, paths)),
    ])
  },
}
