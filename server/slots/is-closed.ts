import { type RawBuilder, sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'

/** Whether the campaign is over, by the database's clock at the moment of asking: a lock may have been waited for. */
export const isClosed = ({ airdrop: { closesAt } }: CampaignFile): RawBuilder<boolean> =>
  sql<boolean>`coalesce(clock_timestamp() >= ${closesAt}::timestamptz, false)`
