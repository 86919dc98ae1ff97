import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locale } from '#contract/locales.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import { settingsApi } from '#server/testing/builders/settings.ts'
import file from '#server/testing/campaign.ts'

test('when a list changes, an unchanged text keeps its translations and a reworded one loses them', async (t) => {
  const { deps, change, settingOf } = await settingsApi(t)
  const changeTasks = async (value: unknown) =>
    assert.equal((await change([{ path: 'airdrop.tasks', value }])).status, 200)
  const titlesIn = (locale: Locale) =>
    campaignIn(deps.campaign, locale)
      .airdrop.tasks.slice(0, 2)
      .map(({ title }) => title)
  const [followTask, joinTask, ...otherTasks] = file.airdrop.tasks
  assert.ok(followTask && joinTask)
  await changeTasks([
    { ...followTask, title: { en: 'Follow', es: 'Sigue' } },
    { ...joinTask, title: { en: 'Join', es: 'Únete' } },
    ...otherTasks,
  ])
  assert.deepEqual(titlesIn('es'), ['Sigue', 'Únete'])
  const { languages, value } = (await settingOf('airdrop.tasks')) ?? assert.fail()
  assert.deepEqual(languages, ['es'])
  assert.deepEqual((await settingOf('texts.hero'))?.languages, [])

  // The dashboard has and sends the tasks in the default language only.
  const [follow, join, ...others] = value as typeof file.airdrop.tasks
  assert.ok(follow && join)
  const url = 'https://x.com/launch/status/1'
  await changeTasks([join, { ...follow, url }, ...others])
  assert.deepEqual(titlesIn('es'), ['Únete', 'Sigue'])

  await changeTasks([join, { ...follow, title: 'Follow us' }, ...others])
  assert.deepEqual(titlesIn('en'), ['Join', 'Follow us'])
  assert.deepEqual(titlesIn('es'), ['Únete', 'Follow us'])
})
