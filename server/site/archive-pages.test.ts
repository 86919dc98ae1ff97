import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { sql } from 'kysely'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { siteWithoutDatabase, startSite } from '#server/testing/builders/site.ts'
import campaign from '#server/testing/campaign.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { testNode } from '#server/testing/deps.ts'
import { readResults } from '../domain/campaign/read-results.ts'
import { createArchiveReader } from './archive-pages.ts'

const CLOSED = { opensAt: '2020-01-01T00:00:00Z', closesAt: '2020-02-01T00:00:00Z' }

async function storedCampaign(t: TestContext) {
  const { deps } = await testNode(t)
  const { id } = deps.campaign
  await syncCampaign(deps.db, deps.campaign)
  const createReader = (changes: Parameters<typeof campaignWith>[0]) =>
    createArchiveReader(
      { ...deps, campaign: campaignWith(changes) },
      { readResults, readHeads: async () => [] },
    )
  const archive = () => sql`update campaigns set archived_at = now() where id = ${id}`.execute(deps.db)
  return { id, createReader, archive }
}

test('only an archived campaign has archive pages, as many as its leaderboard has pages', async (t) => {
  const { id, createReader, archive } = await storedCampaign(t)
  for (const changes of [{}, CLOSED])
    await assert.rejects(createReader(changes).read('en', id, 1), { code: 'campaign_not_found' })
  await archive()
  const { record, board } = await createReader(CLOSED).read('en', id, 1)
  assert.partialDeepStrictEqual(record, { id, results: { approved: 0 } })
  assert.equal(board.pagination.totalPages, 1)
  await assert.rejects(createReader(CLOSED).read('en', id, 2), { code: 'campaign_not_found' })
})

test('a page of an archived campaign gets the fast compression, because it is rendered often', async (t) => {
  const { id, createReader, archive } = await storedCampaign(t)
  await archive()
  const site = await startSite(t, { ...siteWithoutDatabase(campaign), archive: createReader(CLOSED) })
  const url = `/archive/${id}`
  const { body, statusCode } = await site.get(url)
  assert.equal(statusCode, 200)
  const { rawPayload } = await site.app.inject({ url, headers: { 'accept-encoding': 'br' } })
  const quick = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  assert.equal(rawPayload.length, quick.length)
})
