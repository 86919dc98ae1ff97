import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/dashboard/settings.ts'
import type { Locale } from '#contract/locales.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { testApi } from '#server/testing/api.ts'
import file from '#server/testing/campaign.ts'

test('a text that is as before keeps its translations, a reworded one is the same in every language', async (t) => {
  const api = await testApi(t)
  await syncCampaign(api.db, file)
  const { token } = await api.administrator()
  const settingOf = async (name: string) => {
    const { data } = (await api.call(contract.settings, { token })).body
    const { revision, settings } = data as contract.Settings
    return { revision, ...settings.find((setting) => setting.path === name) }
  }
  const change = async (value: unknown) => {
    const { revision } = await settingOf('airdrop.tasks')
    const body = { revision, changes: [{ path: 'airdrop.tasks', value }] }
    return (await api.call(contract.changeSettings, { token, body })).status
  }
  const [first, second, ...rest] = file.airdrop.tasks
  assert.ok(first && second)
  const both = (en: string, es: string) => ({ en, es })
  const authored = [
    { ...first, title: both('Follow', 'Sigue') },
    { ...second, title: both('Join', 'Únete') },
    ...rest,
  ]
  assert.equal(await change(authored), 200)
  const titles = async (locale: Locale) => {
    await api.deps.liveCampaign.refresh()
    return campaignIn(api.deps.liveCampaign.campaign, locale)
      .airdrop.tasks.slice(0, 2)
      .map(({ title }) => title)
  }
  assert.deepEqual(await titles('es'), ['Sigue', 'Únete'])
  const setting = await settingOf('airdrop.tasks')
  assert.deepEqual([setting.languages, (await settingOf('texts.hero')).languages], [['es'], []])
  const [shown, other, ...others] = setting.value as typeof file.airdrop.tasks
  assert.ok(shown && other)

  const url = 'https://x.com/launch/status/1'
  const swapped = [other, { ...shown, url }, ...others]
  assert.equal(await change(swapped), 200)
  assert.deepEqual(await titles('es'), ['Únete', 'Sigue'])

  const reworded = [other, { ...shown, title: 'Follow us' }, ...others]
  assert.equal(await change(reworded), 200)
  assert.deepEqual(await titles('en'), ['Join', 'Follow us'])
  assert.deepEqual(await titles('es'), ['Únete', 'Follow us'])
})
