import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/campaign.ts'
import { LOCALE_KEY } from '#contract/locales.ts'
import { tokenPairs } from '#contract/market.ts'
import file from '#server/testing/campaign.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { writeOverrides } from '#server/testing/builders/settings.ts'
import { createLiveCampaign, perCampaign } from './live-campaign.ts'
import { syncCampaign } from './sync-campaign.ts'

const CONTRACT = '0x52908400098527886E0F7030069857D2E4169EE7'

test('a node that reads a changed setting also renews the answers that it keeps in memory', async (t) => {
  const api = await testApi(t, { keepPublicForMs: 60_000 })
  const other = await api.anotherNode()
  const describeBoth = () =>
    Promise.all(
      [api, other].map(async ({ call }) => (await call(contract.campaign)).body.data as contract.Campaign),
    )
  for (const { name } of await describeBoth()) assert.equal(name, file.name)
  await writeOverrides(api.db, file.id, { name: 'Another Airdrop', 'token.contract': CONTRACT })

  await api.deps.liveCampaign.refresh()
  const [refreshed, outdated] = await describeBoth()
  assert.equal(refreshed?.name, 'Another Airdrop')
  assert.equal(refreshed.token.contract, CONTRACT)
  assert.equal(outdated?.name, file.name, 'the other node has not read the change yet')
  await other.deps.liveCampaign.refresh()
  assert.equal((await describeBoth())[1]?.name, 'Another Airdrop')

  const openApi = await api.inject({ url: '/api/openapi.json', headers: { host: 'localhost:3000' } })
  assert.match(openApi.text, /"title":"Another Airdrop API"/)
  const pairsOf = (token: string) => api.call(tokenPairs, { params: { contract: token.toLowerCase() } })
  assert.equal((await pairsOf(CONTRACT)).status, 200)
  assert.equal((await pairsOf(file.token.contract)).body.code, 'unknown_contract')
})

test('GET /campaign answers in the default language, whatever the reader asks for', async (t) => {
  const translations = { es: { name: 'El airdrop', 'airdrop.tasks.0.title': 'Síguenos' } }
  const api = await testApi(t, { keepPublicForMs: 60_000, campaign: { ...file, translations } })
  for (const locale of ['es', 'en', 'ar', 'es']) {
    const headers = { 'accept-language': locale, cookie: `${LOCALE_KEY}=${locale}` }
    const reply = await api.call(contract.campaign, { headers })
    const { name, tasks } = reply.body.data as contract.Campaign
    assert.equal(name, file.name, locale)
    assert.equal(tasks[0]?.title, file.airdrop.tasks[0]?.title, locale)
    assert.ok(!JSON.stringify(reply.body).includes('Síguenos'), locale)
    assert.equal(reply.headers['content-language'], undefined)
  }
})

test('the campaign, and what is computed from it, is the same object until a setting changes', async (t) => {
  const { db } = await testDatabase(t)
  await syncCampaign(db, file)
  const live = createLiveCampaign(db, file)
  let changes = 0
  live.onChange(() => (changes += 1))
  await live.refresh()
  const { campaign } = live
  const symbol = perCampaign(live, ({ token }) => ({ symbol: token.symbol }))
  const computed = symbol()
  await live.refresh()
  assert.equal(live.campaign, campaign)
  assert.equal(symbol(), computed)
  assert.equal(changes, 1)

  await writeOverrides(db, file.id, { 'token.symbol': 'NEW' })
  await Promise.all([live.refresh(), live.refresh(), live.refresh()])
  assert.equal(changes, 2)
  assert.deepEqual(symbol(), { symbol: 'NEW' })
  assert.notEqual(symbol(), computed)
})
