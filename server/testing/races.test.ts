import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import { changeSettings } from '../domain/settings/change-settings.ts'
import { twoNodes } from './races.ts'

test('each of two nodes sees settings once it has read them', async (t) => {
  const [one, other] = await twoNodes(t)
  const { file } = one.liveCampaign
  await syncCampaign(one.db, file)
  const changes = [{ path: 'name', value: 'Another name' }]
  await changeSettings(one.db, file, { actor: null, changes })
  await one.liveCampaign.refresh()
  assert.equal(one.campaign.name, 'Another name')
  assert.equal(other.campaign.name, file.name)
  await other.liveCampaign.refresh()
  assert.equal(other.campaign.name, 'Another name')
})
