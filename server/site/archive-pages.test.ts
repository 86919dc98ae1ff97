import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { testApi } from '#server/testing/api.ts'
import { campaignWith } from '#server/testing/races.ts'
import { readResults } from '../domain/campaign/read-results.ts'
import { createArchiveReader } from './archive-pages.ts'

test('a campaign gets its archive page once it is archived, and none while it is open or only closed', async (t) => {
  const { deps } = await testApi(t)
  const reader = (changes: Parameters<typeof campaignWith>[0]) =>
    createArchiveReader(
      { ...deps, campaign: campaignWith(changes) },
      { readResults, readHeads: async () => [] },
    )
  const { id } = deps.campaign
  await syncCampaign(deps.db, deps.campaign)
  const closed = { opensAt: '2020-01-01T00:00:00Z', closesAt: '2020-02-01T00:00:00Z' }
  for (const changes of [{}, closed])
    await assert.rejects(reader(changes).one('en', id, 1), { code: 'campaign_not_found' })
  await sql`update campaigns set archived_at = now() where id = ${id}`.execute(deps.db)
  const { record } = await reader(closed).one('en', id, 1)
  assert.deepEqual([record.id, record.results?.approved], [id, 0])
})
