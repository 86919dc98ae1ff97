import type { CampaignFile } from '#contract/campaign-file.ts'
import { type Phase, phaseOf, type Stage } from '#contract/phase.ts'
import type { Life } from '#web/site/site-context.ts'
import type { Deps } from '#server/deps.ts'
import { readState, stageOf } from '#server/domain/campaign/read-campaign.ts'
import type { ReadResults } from '#server/domain/campaign/read-results.ts'
import { sameUntilChanged } from './live-pages.ts'

export type ReadLife = () => Promise<Life>

const MINUTE_MS = 60_000
const STAGE_OF_PHASE: Record<Phase, Stage> = { before: 'before', open: 'open', after: 'reviewing' }

/**
 * Creates a reader of the campaign's life, which returns the same object until one of its values changes. It
 * never rejects. While the database cannot be read, the dates determine the stage.
 */
export function createLifeReader(
  deps: Pick<Deps, 'publicReads' | 'campaign' | 'log'>,
  readResults: ReadResults,
): ReadLife {
  const readLife = () =>
    deps.publicReads.read(async (db) => {
      const { campaign } = deps
      const state = await readState(db, campaign)
      const results = state.isClosed ? await readResults(db, campaign.id) : null
      return withMinutesLeft({ stage: stageOf(state, results), paused: state.paused, results }, campaign)
    })
  return sameUntilChanged(readLife, (error) => {
    deps.log.warn({ err: error }, 'the stage of the campaign could not be read')
    return lifeByDates(deps.campaign)
  })
}

/** The stage according to the dates alone, without the pause, slots and results. */
export function lifeByDates(campaign: CampaignFile): Life {
  const stage = STAGE_OF_PHASE[phaseOf(campaign.airdrop, Date.now())]
  return withMinutesLeft({ stage, paused: null, results: null }, campaign)
}

function withMinutesLeft(life: Omit<Life, 'minutesLeft'>, { airdrop }: CampaignFile): Life {
  if (life.stage !== 'before') return { ...life, minutesLeft: null }
  const msLeft = Date.parse(airdrop.opensAt) - Date.now()
  return { ...life, minutesLeft: Math.max(0, Math.ceil(msLeft / MINUTE_MS)) }
}
