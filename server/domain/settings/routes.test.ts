import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import * as contract from '#contract/dashboard/settings.ts'
import * as campaigns from '#contract/campaign.ts'
import type { TestApi } from '#server/testing/api.ts'
import file from '#server/testing/campaign.ts'
import { settingsApi, writeOverrides } from '#server/testing/builders/settings.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { type Locale, LOCALES } from '#contract/locales.ts'
import { submitProof } from '#server/domain/claims/submission/submit-proof.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { loadCampaign } from '#server/domain/campaign/load-campaign.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'

const readCampaign = async ({ call }: TestApi) =>
  (await call(campaigns.campaign)).body.data as campaigns.Campaign

test('a change shows at once, with its source, author and time, until it is unset or set to the file’s value', async (t) => {
  const api = await settingsApi(t)
  const closesAt = '2120-01-31T12:00:00Z'
  const { status, body } = await api.change([
    { path: 'airdrop.closesAt', value: closesAt },
    { path: 'airdrop.slots', value: 20_000 },
  ])
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.message, 'Your settings are saved, and the site already shows them.')
  const slots = { total: 20_000, left: 20_000 }
  assert.partialDeepStrictEqual(await readCampaign(api), { closesAt, slots })
  const setting = await api.settingOf('airdrop.closesAt')
  const overridden = { value: closesAt, source: 'override', fileValue: null, changedBy: api.admin.username }
  assert.partialDeepStrictEqual(setting, overridden)
  // A time in a wrong time zone would be off by an hour or more.
  assert.ok(Math.abs(Date.parse(setting?.changedAt ?? '') - Date.now()) < 3_600_000)
  const { hero } = file.texts
  const ofFile = { value: hero, source: 'file', fileValue: hero, changedAt: null, changedBy: null }
  assert.partialDeepStrictEqual(await api.settingOf('texts.hero'), ofFile)

  await api.change([{ path: 'texts.hero', value: 'Another hero.' }])
  assert.equal((await api.change([{ path: 'airdrop.closesAt', unset: true }])).status, 200)
  assert.equal((await readCampaign(api)).closesAt, null)
  assert.partialDeepStrictEqual(await api.settingOf('airdrop.closesAt'), { value: null, source: 'file' })
  await api.change([{ path: 'texts.hero', value: file.texts.hero }])
  assert.equal((await api.settingOf('texts.hero'))?.source, 'file')
  const overrides = await api.db.selectFrom('campaign_overrides').select('path').execute()
  assert.deepEqual(overrides, [{ path: 'airdrop.slots' }])
})

test('an invalid change is refused together with all other changes of the call', async (t) => {
  const api = await settingsApi(t)
  await t.test('each mistake is a sentence', async () => {
    const { status, body } = await api.change([
      { path: 'token.symbol', value: 'TOO LONG A SYMBOL' },
      { path: 'airdrop.slots', value: 0 },
      { path: 'airdrop.tasks', value: [{ ...file.airdrop.tasks[0], url: 'http://x.com' }] },
      { path: 'texts.airdropRules', value: [1] },
      { path: 'texts.facts', value: 'none' },
      { path: 'smallPrint.contact', value: 'nobody' },
      { path: 'texts.hero', value: 'A hero that fits.' },
    ])
    assert.equal(status, 400)
    assert.equal(body.code, 'invalid_input')
    assert.deepEqual(body.fields, {
      'token.symbol': 'token.symbol must be 1 to 11 letters or digits',
      'airdrop.slots': 'airdrop.slots must be at least 1',
      'airdrop.tasks.0.url': 'airdrop.tasks.0.url must be an https:// address',
      'texts.airdropRules.0': 'texts.airdropRules.0 must be of type string',
      'texts.facts': 'texts.facts must be of type array',
      'smallPrint.contact': 'smallPrint.contact must be an email address',
    })
    assert.equal((await api.settingOf('texts.hero'))?.source, 'file')
  })
  await t.test(
    'paths that are unknown, fixed or listed twice and values that cannot be stored are named',
    async () => {
      const { status, body } = await api.change([
        { path: 'id', value: 'another' },
        { path: 'chain.id', value: 1 },
        { path: 'token', value: {} },
        { path: 'token.constructor', unset: true },
        { path: 'texts.hero', value: 'one' },
        { path: 'texts.hero', value: 'two' },
        { path: 'texts.wish', value: 'a\0b' },
        { path: 'roadmap', value: [{ phase: '\ud800', status: 'completed', points: [] }] },
      ])
      assert.equal(status, 400)
      assert.deepEqual(body.fields, {
        id: 'id can only be changed in the campaign file, before anyone takes part',
        'chain.id': 'chain.id can only be changed in the campaign file, before anyone takes part',
        token: 'token is not a setting',
        'token.constructor': 'token.constructor is not a setting',
        'texts.hero': 'texts.hero is listed twice',
        'texts.wish': 'texts.wish must not contain control characters',
        roadmap: 'roadmap must not contain control characters',
      })
    },
  )
  await t.test('a preview is refused for the same reason, and saves nothing', async () => {
    const preview = (changes: readonly contract.Change[]) =>
      api.call(contract.previewSettings, { token: api.token, body: { page: '/', changes } })
    const refused = await preview([{ path: 'airdrop.slots', value: 'many' }])
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.fields, { 'airdrop.slots': 'airdrop.slots must be a whole number' })
    const before = await api.read()
    // The site renders valid drafts. The tests' API has no site.
    assert.equal((await preview([{ path: 'airdrop.slots', value: 20_000 }])).body.code, 'unavailable')
    assert.deepEqual(await api.read(), before)
  })
  await t.test('hostile values are refused, in linear time', async () => {
    for (const levels of [12, 4_000]) {
      const value: unknown = JSON.parse('['.repeat(levels) + ']'.repeat(levels))
      for (const setting of ['texts.hero', 'texts.airdropRules', 'roadmap']) {
        const { status, body } = await api.change([{ path: setting, value }])
        assert.equal(status, 400, `${setting}, ${levels} levels`)
        assert.match(Object.keys(body.fields ?? {}).join(), new RegExp(`^${setting}`))
      }
    }
    const before = process.cpuUsage()
    const { body } = await api.change([{ path: 'smallPrint.contact', value: `x@${'.a'.repeat(20_000)}>` }])
    assert.ok(process.cpuUsage(before).user < 500_000, 'less than half a second')
    assert.deepEqual(body.fields, { 'smallPrint.contact': 'smallPrint.contact must be an email address' })
  })
  await t.test('an end before the opening is refused, even if one of the two was set earlier', async () => {
    const refusalOf = async (name: string, value: string) =>
      (await api.change([{ path: name, value }])).body.fields
    const early = { 'airdrop.closesAt': 'airdrop.closesAt must be after airdrop.opensAt' }
    assert.deepEqual(await refusalOf('airdrop.closesAt', '2025-01-01T00:00:00Z'), early)
    await api.change([{ path: 'airdrop.closesAt', value: '2120-01-31T12:00:00Z' }])
    assert.deepEqual(await refusalOf('airdrop.opensAt', '2121-01-01T00:00:00Z'), early)
  })
})

test('a change that would break a promise is refused, in the language of the administrator', async (t) => {
  const api = await settingsApi(t)
  const [ann] = await createUsers(api.db, file.id, 1)
  await submitProof(api.deps, ann.id, freshProof())
  await t.test('with all other changes of the call', async () => {
    const { status, body } = await api.change([
      { path: 'airdrop.slots', value: 5_000 },
      { path: 'airdrop.pointsPerTask', value: 1 },
      { path: 'texts.hero', value: 'A hero.' },
    ])
    const promise = 'must stay 5000 because people have claimed for these points'
    assert.deepEqual([status, body.code], [409, 'promise_broken'])
    assert.deepEqual(body.fields, {
      'airdrop.slots': 'airdrop.slots must be 10000 or more: that many were announced',
      'airdrop.pointsPerTask': `airdrop.pointsPerTask ${promise}`,
    })
    assert.equal((await api.settingOf('texts.hero'))?.source, 'file')
    assert.equal((await api.settingOf('airdrop.pointsPerTask'))?.promise, promise)
  })
  await t.test('in Spanish, as are the problems of invalid changes and the promises themselves', async () => {
    const spanish = { token: api.admin.token, headers: { 'accept-language': 'es' } }
    const { data } = (await api.call(contract.settings, spanish)).body
    const { revision, settings } = data as contract.Settings
    const points = settings.find((setting) => setting.path === 'airdrop.pointsPerTask')
    assert.equal(points?.promise, 'debe seguir siendo 5000 porque ya hay solicitudes por estos puntos')
    const refusalOf = async (name: string, value: unknown) => {
      const body = { revision, changes: [{ path: name, value }] }
      const reply = await api.call(contract.changeSettings, { ...spanish, body })
      return reply.body.fields?.[name]
    }
    for (const [name, value, why] of [
      ['airdrop.slots', 5_000, 'debe ser 10000 o más: son los que se anunciaron'],
      ['airdrop.referralReward', -1, 'debe ser 0 como mínimo'],
      ['links.swap', 'https://a.example', 'debe ser una dirección https:// con {contract}'],
      ['texts.risk', { en: 'a', fr: 'b' }, `tiene un idioma desconocido, fr: usa ${LOCALES.join(', ')}`],
      ['look.logo', '/brand/none.webp', 'debe ser una imagen subida a este servidor'],
    ] as const)
      assert.equal(await refusalOf(name, value), `${name} ${why}`)
  })
})

test('only one of several concurrent changes to the same revision is saved', async (t) => {
  const api = await settingsApi(t)
  const { revision } = await api.read()
  const names = ['One', 'Two', 'Three']
  const change = (name: string) => api.change([{ path: 'name', value: name }], revision)
  const answers = await Promise.all(names.map(change))
  const codes = answers.map(({ status, body }) => (status === 200 ? 'saved' : String(body.code)))
  assert.deepEqual(codes.toSorted(), ['saved', 'settings_changed', 'settings_changed'])
  assert.equal((await api.settingOf('name'))?.value, names[codes.indexOf('saved')])
})

test('a change is journaled once, with its author and the values before and after', async (t) => {
  const api = await settingsApi(t)
  await api.change([
    { path: 'airdrop.referralsPaid', value: 60 },
    { path: 'texts.hero', value: 'A hero.' },
  ])
  await api.change([{ path: 'texts.hero', value: 'A hero.' }])
  const entries = (await assertSealed(api.db)).filter(({ action }) => action === 'settings.changed')
  // The entry from the start has no actor.
  const [entry, ...others] = entries.filter(({ actor }) => actor !== null)
  assert.deepEqual(others, [])
  assert.equal(entry?.actor, api.admin.id)
  assert.partialDeepStrictEqual(entry?.before, { referralsPaid: 50 })
  assert.partialDeepStrictEqual(entry?.after, { referralsPaid: 60 })
  assert.partialDeepStrictEqual(entry?.details?.content, {
    campaign: file.id,
    changes: [
      // jsonb keeps keys in this order.
      { setting: 'texts.hero', before: file.texts.hero, after: 'A hero.' },
      { setting: 'airdrop.referralsPaid', before: 50, after: 60 },
    ],
  })
})

test('an override that does not fit this version is ignored with a reason until it is removed', async (t) => {
  const api = await settingsApi(t)
  await writeOverrides(api.db, file.id, { 'token.legacy': 1, 'airdrop.slots': 'many' })
  await api.deps.liveCampaign.refresh()
  assert.equal((await readCampaign(api)).slots.total, 10_000)
  const { ignored, settings } = await api.read()
  assert.deepEqual(ignored, [
    { path: 'token.legacy', value: 1, problem: 'token.legacy is not a setting of this version' },
    { path: 'airdrop.slots', value: 'many', problem: 'airdrop.slots must be a whole number' },
  ])
  assert.equal(settings.find((setting) => setting.path === 'airdrop.slots')?.source, 'file')
  assert.equal((await api.change([{ path: 'name', value: 'Renamed' }])).status, 200)
  const removed = await api.change(ignored.map((override) => ({ path: override.path, unset: true })))
  assert.equal(removed.status, 200)
  assert.deepEqual((await api.read()).ignored, [])
  assert.equal((await api.settingOf('name'))?.value, 'Renamed')
})

test('the export is a campaign file with the overrides', async (t) => {
  const api = await settingsApi(t)
  const hero = 'It’s “quoted”, \'single\', "double", `ticks` and ${more}.\nA second line \\ back.'
  await api.change([
    { path: 'texts.hero', value: hero },
    { path: 'airdrop.closesAt', value: '2120-01-31T12:00:00Z' },
    { path: 'smallPrint.privacy', value: [] },
  ])
  const folder = await scratchFolder(t)
  for (const [format, name] of [
    ['ts', 'campaign.config.ts'],
    ['json', 'campaign.json'],
  ] as const) {
    const input = { token: api.token, query: { format } }
    const { status, text, headers } = await api.call(contract.exportSettings, input)
    assert.equal(status, 200)
    assert.equal(headers['content-disposition'], `attachment; filename="${name}"`)
    await writeFile(path.join(folder, name), text)
    assert.deepEqual(await loadCampaign(path.join(folder, name)), api.deps.campaign)
  }
  assert.equal(api.deps.campaign.texts.hero, hero)
})

test('an unchanged text in a changed list keeps its translations, while a reworded text loses them', async (t) => {
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

  // The dashboard reads and sends tasks in the default language only.
  const [follow, join, ...others] = value as typeof file.airdrop.tasks
  assert.ok(follow && join)
  const url = 'https://x.com/launch/status/1'
  await changeTasks([join, { ...follow, url }, ...others])
  assert.deepEqual(titlesIn('es'), ['Únete', 'Sigue'])

  await changeTasks([join, { ...follow, title: 'Follow us' }, ...others])
  assert.deepEqual(titlesIn('en'), ['Join', 'Follow us'])
  assert.deepEqual(titlesIn('es'), ['Únete', 'Follow us'])
})
