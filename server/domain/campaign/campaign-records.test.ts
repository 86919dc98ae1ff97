import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { listCampaigns, readOwnCampaigns } from './campaign-records.ts'
import { readResults } from './read-results.ts'
import { syncCampaign } from './sync-campaign.ts'

test('archived campaigns are listed by the moment they opened, whatever the offsets from UTC', async (t) => {
  const { deps } = await testNode(t)
  const { db, campaign } = deps
  const [ann] = await createUsers(db, campaign.id, 1)
  // Compared as texts, `east` would be the latest.
  const openings = {
    east: '2020-05-02T00:30:00+02:00',
    zulu: '2020-05-01T23:00:00Z',
    west: '2020-05-01T20:00:00-05:00',
  }
  for (const [id, opensAt] of Object.entries(openings)) {
    await syncCampaign(db, campaignWith({ opensAt, closesAt: '2020-06-01T00:00:00Z' }, id))
    await db
      .updateTable('campaigns')
      .set({ archived_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    // One's own campaigns are those in which one has points.
    await db.updateTable('standings').set({ pf: 1 }).where('campaign_id', '=', id).execute()
  }
  const listed = await listCampaigns(db, { campaign, readResults })
  const own = await readOwnCampaigns(db, campaign, { userId: ann.id, locale: 'en' })
  const [listedIds, ownIds] = [listed, own].map((campaigns) => campaigns.map(({ id }) => id))
  assert.deepEqual(listedIds, [campaign.id, 'west', 'zulu', 'east'])
  assert.deepEqual(ownIds, ['west', 'zulu', 'east'])
})
