import { type RawBuilder, sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'

// The database's clock at the time of evaluation, not of the transaction's start: it may have waited for a lock.

/** Whether the campaign has not opened yet. */
export const isEarly = ({ airdrop: { opensAt } }: CampaignFile): RawBuilder<boolean> =>
  sql<boolean>`clock_timestamp() < ${opensAt}::timestamptz`

/** Whether the campaign is over; one without a closing date never is. */
export const isClosed = ({ airdrop: { closesAt } }: CampaignFile): RawBuilder<boolean> =>
  sql<boolean>`coalesce(clock_timestamp() >= ${closesAt}::timestamptz, false)`
