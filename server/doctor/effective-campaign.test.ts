import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#server/testing/database.ts'
import { deployment, found } from '#server/testing/doctor.ts'
import campaign from '#server/testing/campaign.ts'
import { syncCampaign } from '../domain/campaign/sync-campaign.ts'
import { changeSettings } from '../domain/settings/change-settings.ts'
import { campaignFile } from './checks/campaign-file.ts'
import { effectiveCampaign } from './effective-campaign.ts'

test('the checks see the settings that were changed on the dashboard, not the campaign file alone', async (t) => {
  const { db, pool } = await testDatabase(t)
  const database = Promise.resolve({ db, pool, close: () => Promise.resolve() })
  const remarks = async () =>
    found(campaignFile, deployment({}, { campaign: effectiveCampaign(campaign, database) }))
  await syncCampaign(db, campaign)
  assert.match(await remarks(), /token\.placeholder is true/)
  const changes = [{ path: 'token.placeholder', value: false }]
  await changeSettings(db, campaign, { actor: null, changes })
  assert.doesNotMatch(await remarks(), /token\.placeholder/)
})

test('without a database that can be asked, the file counts', async () => {
  for (const reached of [{ absent: 'Not yet.' }, { failure: 'No answer.' }])
    assert.equal(await effectiveCampaign(campaign, Promise.resolve(reached)), campaign)
  const broken = { problems: ['name is missing'] }
  assert.equal(await effectiveCampaign(broken, Promise.resolve({ absent: 'Not yet.' })), broken)
})
