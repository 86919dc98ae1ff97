import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/journal.ts'
import { approveClaim } from '#contract/claims/claims.ts'
import { newId } from '#server/platform/database/ids.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { type TestApi, testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testDatabase } from '#server/testing/database.ts'
import { ANY_ENTRY, recordEntries, verifyLines } from '#server/testing/journal.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { exportJournal } from './export-journal.ts'
import { sealJournal } from './seal.ts'

type Page = { data: contract.JournalEntry[]; next: string | null }

const read = async ({ call }: TestApi, token: string, query: Record<string, string | number> = {}) => {
  const { status, body } = await call(contract.journal, { token, query })
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as Page
}

test('lets only administrators read entries with their details', async (t) => {
  const api = await testApi(t)
  const adm = await api.administrator()
  const ann = await api.participant()
  const { _id: claimId } = await submitProof(api.deps, ann.user._id, freshProof())
  const body = { pfPoints: 20_000, plsPoints: 20_000 }
  await api.call(approveClaim, { token: adm.token, params: { taskId: claimId }, ip: '198.51.100.9', body })
  const { data } = await read(api, adm.token, { action: 'claim.approved' })
  const [entry, ...others] = data
  assert.ok(entry)
  assert.deepEqual(others, [])
  const { id: _id, at, ...seen } = entry
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.deepEqual(seen, {
    number: null,
    hash: null,
    actor: adm.user._id,
    actorName: adm.username,
    action: 'claim.approved',
    subject: claimId,
    before: { status: 'submitted' },
    after: { status: 'approved', pfPoints: 20_000, plsPoints: 20_000 },
    details: { network: '198.51.100.9' },
  })
  await sealJournal(api.db)
  const [sealed] = (await read(api, adm.token, { action: 'claim.approved' })).data
  assert.ok(sealed?.number && /^[0-9a-f]{64}$/.test(sealed.hash ?? ''))
  for (const endpoint of [contract.journal, contract.exportJournal]) {
    assert.equal((await api.call(endpoint)).status, 401)
    assert.equal((await api.call(endpoint, { token: ann.token })).status, 403)
  }
})

test('filters by action, actor, subject and time, in pages that newer entries do not shift', async (t) => {
  const api = await testApi(t)
  const [adm, other] = await createUsers(api.db, api.deps.campaign.id, 2, { role: 'admin' })
  const subject = newId()
  for (let index = 0; index < 7; index += 1) {
    const actor = index % 2 ? adm.id : other.id
    await recordEntries(api.db, {
      actor,
      action: index < 3 ? 'claim.rejected' : 'claim.held',
      subject: index < 5 ? subject : newId(),
      after: { index },
    })
  }
  const indexes = async (query: Record<string, string | number>) =>
    (await read(api, adm.token, query)).data.map(({ after }) => after?.['index'])
  assert.deepEqual(await indexes({}), [6, 5, 4, 3, 2, 1, 0])
  assert.deepEqual(await indexes({ action: 'claim.rejected' }), [2, 1, 0])
  assert.deepEqual(await indexes({ actor: adm.id }), [5, 3, 1])
  assert.deepEqual(await indexes({ actor: adm.id, subject, action: 'claim.held' }), [3])
  assert.deepEqual(await indexes({ actor: newId() }), [])
  assert.deepEqual(await indexes({ from: '2120-01-01T00:00:00Z' }), [])
  assert.deepEqual(await indexes({ to: '2020-01-01T00:00:00+14:00' }), [])
  const { data } = await read(api, adm.token)
  const [newest, , third] = data.map(({ at }) => `${at.slice(0, 23)}Z`)
  assert.ok(newest && third)
  assert.deepEqual((await indexes({ from: third })).slice(0, 3), [6, 5, 4], '`from` is inclusive')
  const before = await indexes({ to: newest })
  assert.ok(before.includes(0) && !before.includes(6), '`to` is exclusive')

  const pages: unknown[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await read(api, adm.token, { limit: 3, ...(cursor ? { cursor } : {}) })
    pages.push(page.data.map(({ after }) => after?.['index']))
    cursor = page.next
    // This entry belongs before the first page.
    await recordEntries(api.db, { actor: null, action: 'claim.held' })
  }
  assert.deepEqual(pages, [[6, 5, 4], [3, 2, 1], [0]])
  assert.deepEqual((await read(api, adm.token, { cursor: newId() })).data, [])
})

test('rejects invalid filters', async (t) => {
  const api = await testApi(t)
  const adm = await api.administrator()
  for (const query of [
    { action: "claim.approved' or true" },
    { actor: 'boss' },
    { subject: '7' },
    { from: 'yesterday' },
    { from: '2026-02-30T00:00:00Z' },
    { to: '2026-01-01' },
    { cursor: '%00' },
    { limit: 101 },
    { limit: 0 },
    { sort: 'actor' },
  ]) {
    const { status, body } = await api.call(contract.journal, { token: adm.token, query })
    assert.equal(status, 400, JSON.stringify(query))
    assert.deepEqual(Object.keys(body.fields ?? {}), Object.keys(query))
  }
  // The extremes that are valid.
  await read(api, adm.token, { from: '2026-01-01T00:00:00+23:59', to: '0001-01-01T00:00:00Z' })
})

test('HEAD of an export returns nothing and records nothing', async (t) => {
  const api = await testApi(t)
  const adm = await api.administrator()
  const head = (authorization: string) =>
    api.inject({
      method: 'HEAD',
      url: `/api/v1${contract.exportJournal.path}`,
      headers: { host: 'localhost:3000', authorization },
    })
  const { status, headers, text } = await head(`Bearer ${adm.token}`)
  assert.deepEqual([status, text], [200, ''])
  assert.match(String(headers['content-type']), /^application\/x-ndjson/)
  assert.equal((await head('Bearer nobody')).status, 401)
  assert.deepEqual((await read(api, adm.token, { action: 'journal.exported' })).data, [])
})

test('an export, with or without details, can be verified and is recorded', async (t) => {
  const api = await testApi(t)
  const adm = await api.administrator()
  await recordEntries(api.db, ...Array.from({ length: 1_200 }, () => ANY_ENTRY))
  await sealJournal(api.db)
  const linesOf = (text: string) => text.trimEnd().split('\n')
  const { status, headers, text } = await api.call(contract.exportJournal, {
    token: adm.token,
    ip: '198.51.100.7',
  })
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^application\/x-ndjson/)
  assert.equal(headers['content-disposition'], 'attachment; filename="journal.ndjson"')
  assert.equal(headers['cache-control'], 'no-store')
  const verdict = await verifyLines(linesOf(text))
  assert.ok(verdict.ok, JSON.stringify(verdict))
  assert.deepEqual([verdict.head.number, verdict.withoutDetails], [1_201, 0])

  const bare = await api.call(contract.exportJournal, { token: adm.token, query: { details: 'false' } })
  // The network and the reason in ANY_ENTRY, and the salts of details.
  assert.doesNotMatch(bare.text, /192\.0\.2|Beitrag|"salt"/)
  const stripped = await verifyLines(linesOf(bare.text), verdict.head)
  assert.ok(stripped.ok && stripped.withoutDetails === 1_200)

  const { data } = await read(api, adm.token, { action: 'journal.exported' })
  const recorded = data.map(({ actor, after }) => [actor, after])
  assert.deepEqual(recorded, [
    [adm.user._id, { entries: 1_201, details: false }],
    [adm.user._id, { entries: 1_201, details: true }],
  ])
  assert.deepEqual(data[1]?.details, { network: '198.51.100.7' })
})

test('reads an export in batches of at most 500, on demand', async (t) => {
  const { db } = await testDatabase(t)
  await recordEntries(db, ...Array.from({ length: 1_200 }, () => ANY_ENTRY))
  await sealJournal(db)
  const lines = await exportJournal(db, { actor: null, withDetails: true })
  const written = [(await lines.next()).value]
  // Erased during the export: only the batch that was already read has details.
  await db.deleteFrom('journal_details').execute()
  for await (const line of lines) written.push(line)
  assert.equal(written.length, 1_200)
  const withDetails = written.filter((line) => line?.details)
  assert.ok(withDetails.length >= 1 && withDetails.length <= 500, `${withDetails.length} were held at once`)
  const verdict = await verifyLines(written)
  assert.ok(verdict.ok && verdict.withoutDetails === 1_200 - withDetails.length)
})

test('/journal.json publishes the heads and nothing else', async (t) => {
  const api = await testApi(t)
  await recordEntries(api.db, ANY_ENTRY)
  await sealJournal(api.db)
  const get = () => api.inject({ url: contract.HEADS_PATH, headers: { host: 'localhost:3000' } })
  const { status, headers, body } = await get()
  assert.equal(status, 200)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cache-control'], 'public, max-age=60')
  const [head, ...others] = body['heads'] as contract.PublishedHead[]
  assert.ok(head)
  assert.deepEqual(others, [])
  assert.deepEqual(Object.keys(body), ['heads'])
  const { text } = await api.call(contract.exportJournal, { token: (await api.administrator()).token })
  assert.ok((await verifyLines(text.trimEnd().split('\n'), head)).ok)
})
