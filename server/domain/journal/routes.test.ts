import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/journal.ts'
import { approveClaim } from '#contract/claims/claims.ts'
import { newId } from '#server/platform/database/ids.ts'
import { type TestApi, testApi } from '#server/testing/api.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createAdmin, createUsers } from '#server/testing/builders/create-users.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { ANY_ENTRY, exportLines, recordEntries, verifyLines } from '#server/testing/journal.ts'
import { exportJournal } from './export-journal.ts'
import { sealJournal } from './seal.ts'

type Page = { data: contract.JournalEntry[]; next: string | null }

const readEntries = async ({ call }: TestApi, token: string, query: Record<string, string | number> = {}) => {
  const { status, body } = await call(contract.journal, { token, query })
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as Page
}

test('an administrator reads entries with their details, and their number and hash once they are sealed', async (t) => {
  const api = await testApi(t)
  const adm = await createAdmin(api)
  const { claimId } = await claimant(api.deps)
  const grant = { pfPoints: 20_000, plsPoints: 20_000 }
  const approval = { token: adm.token, params: { taskId: claimId }, ip: '198.51.100.9', body: grant }
  await api.call(approveClaim, approval)
  const readApprovals = async () => (await readEntries(api, adm.token, { action: 'claim.approved' })).data
  const [entry, ...others] = await readApprovals()
  assert.ok(entry)
  assert.deepEqual(others, [])
  const { id: _id, at, ...fields } = entry
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.deepEqual(fields, {
    number: null,
    hash: null,
    actor: adm.id,
    actorName: adm.username,
    action: 'claim.approved',
    subject: claimId,
    before: { status: 'submitted' },
    after: { status: 'approved', ...grant },
    details: { network: '198.51.100.9' },
  })

  await sealJournal(api.db)
  const [sealed] = await readApprovals()
  assert.ok(sealed?.number)
  assert.match(sealed.hash ?? '', /^[0-9a-f]{64}$/)
})

test('the list of entries', async (t) => {
  const api = await testApi(t)
  const { db, call } = api
  const [adm, other] = await createUsers(db, api.deps.campaign.id, 2, { role: 'admin' })
  const subject = newId()
  for (let index = 0; index < 7; index += 1)
    await recordEntries(db, {
      actor: index % 2 === 1 ? adm.id : other.id,
      action: index < 3 ? 'claim.rejected' : 'claim.held',
      subject: index < 5 ? subject : newId(),
      after: { index },
    })
  const readPage = (query: Record<string, string | number>) => readEntries(api, adm.token, query)
  const indexesOf = ({ data }: Page) => data.map(({ after }) => after?.['index'])
  const readIndexes = async (query: Record<string, string | number>) => indexesOf(await readPage(query))

  await t.test('is filtered by action, actor and subject, the newest first', async () => {
    assert.deepEqual(await readIndexes({}), [6, 5, 4, 3, 2, 1, 0])
    assert.deepEqual(await readIndexes({ action: 'claim.rejected' }), [2, 1, 0])
    assert.deepEqual(await readIndexes({ actor: adm.id }), [5, 3, 1])
    assert.deepEqual(await readIndexes({ actor: adm.id, subject, action: 'claim.held' }), [3])
    assert.deepEqual(await readIndexes({ actor: newId() }), [])
  })

  await t.test('is filtered by time, including `from` and excluding `to`', async () => {
    assert.deepEqual(await readIndexes({ from: '2120-01-01T00:00:00Z' }), [])
    assert.deepEqual(await readIndexes({ to: '2020-01-01T00:00:00+14:00' }), [])
    const { data } = await readPage({})
    const [newest, , third] = data.map(({ at }) => `${at.slice(0, 23)}Z`)
    assert.ok(newest && third)
    assert.deepEqual((await readIndexes({ from: third })).slice(0, 3), [6, 5, 4])
    const before = await readIndexes({ to: newest })
    assert.ok(before.includes(0))
    assert.ok(!before.includes(6))
  })

  await t.test('rejects invalid filters', async () => {
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
      const { status, body } = await call(contract.journal, { token: adm.token, query })
      assert.equal(status, 400, JSON.stringify(query))
      assert.deepEqual(Object.keys(body.fields ?? {}), Object.keys(query))
    }
    // The largest offset from UTC and the first year are valid.
    await readPage({ from: '2026-01-01T00:00:00+23:59', to: '0001-01-01T00:00:00Z' })
  })

  await t.test('has pages that newer entries do not shift', async () => {
    const pages: unknown[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page = await readPage({ limit: 3, ...(cursor ? { cursor } : {}) })
      pages.push(indexesOf(page))
      cursor = page.next
      const newerEntry = { actor: null, action: 'claim.held' } as const
      await recordEntries(db, newerEntry)
    }
    assert.deepEqual(pages, [[6, 5, 4], [3, 2, 1], [0]])
    assert.deepEqual((await readPage({ cursor: newId() })).data, [], 'the cursor is no entry')
  })
})

const linesOf = (text: string) => text.trimEnd().split('\n')

test('an export', async (t) => {
  const api = await testApi(t)
  const { db, call } = api
  const adm = await createAdmin(api)
  // More than one batch of an export.
  const withDetails = Array.from({ length: 510 }, () => ANY_ENTRY)
  await recordEntries(db, { actor: null, action: 'role.changed' }, ...withDetails)
  await sealJournal(db)
  const full = await verifyLines(await exportLines(db))
  assert.ok(full.ok)
  const options = { token: adm.token, ip: '198.51.100.7' }
  const readExports = async () => {
    const { data } = await readEntries(api, adm.token, { action: 'journal.exported' })
    return data.filter(({ actor }) => actor === adm.id)
  }

  await t.test('returns and records nothing if only its head is requested', async () => {
    const requestHead = (authorization: string) =>
      api.inject({
        method: 'HEAD',
        url: `/api/v1${contract.exportJournal.path}`,
        headers: { host: 'localhost:3000', authorization },
      })
    const { status, headers, text } = await requestHead(`Bearer ${adm.token}`)
    assert.deepEqual([status, text], [200, ''])
    assert.match(String(headers['content-type']), /^application\/x-ndjson/)
    assert.equal((await requestHead('Bearer nobody')).status, 401)
    assert.deepEqual(await readExports(), [])
  })

  await t.test('is a file that can be verified, and is recorded', async () => {
    const { status, headers, text } = await call(contract.exportJournal, options)
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/x-ndjson/)
    assert.equal(headers['content-disposition'], 'attachment; filename="journal.ndjson"')
    assert.equal(headers['cache-control'], 'no-store')
    const verdict = await verifyLines(linesOf(text), full.head)
    assert.deepEqual(verdict, { ok: true, head: full.head, withoutDetails: 0 })
    const [entry, ...others] = await readExports()
    assert.deepEqual(others, [])
    assert.deepEqual(entry?.after, { entries: withDetails.length + 1, details: true })
    assert.deepEqual(entry.details, { network: '198.51.100.7' })
  })

  await t.test('without details holds nothing personal, and has the same head', async () => {
    const { text } = await call(contract.exportJournal, { ...options, query: { details: 'false' } })
    // The network and the reason in ANY_ENTRY, and the salts of details.
    assert.doesNotMatch(text, /192\.0\.2|Beitrag|"salt"/)
    const verdict = await verifyLines(linesOf(text), full.head)
    assert.deepEqual(verdict, { ok: true, head: full.head, withoutDetails: withDetails.length })
    const [entry] = await readExports()
    assert.deepEqual(entry?.after, { entries: withDetails.length + 1, details: false })
  })
})

test('reads an export in batches of at most 500, on demand', async (t) => {
  const { db } = await testDatabase(t)
  await recordEntries(db, ...Array.from({ length: 600 }, () => ANY_ENTRY))
  await sealJournal(db)
  const reader = await exportJournal(db, { actor: null, withDetails: true })
  const lines = [(await reader.next()).value]
  // Only the batch that was read before this has details.
  await db.deleteFrom('journal_details').execute()
  for await (const line of reader) lines.push(line)
  assert.equal(lines.length, 600)
  const withDetails = lines.filter((line) => line?.details).length
  assert.ok(withDetails >= 1 && withDetails <= 500, `${withDetails} were held at once`)
  const verdict = await verifyLines(lines)
  assert.ok(verdict.ok, JSON.stringify(verdict))
  assert.equal(verdict.withoutDetails, 600 - withDetails)
})

test('/journal.json publishes the heads and nothing else', async (t) => {
  const api = await testApi(t)
  await recordEntries(api.db, ANY_ENTRY)
  await sealJournal(api.db)
  const request = { url: contract.HEADS_PATH, headers: { host: 'localhost:3000' } }
  const { status, headers, body } = await api.inject(request)
  assert.equal(status, 200)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cache-control'], 'public, max-age=60')
  const [head, ...others] = body['heads'] as contract.PublishedHead[]
  assert.ok(head)
  assert.deepEqual(others, [])
  assert.deepEqual(Object.keys(body), ['heads'])
  assert.ok((await verifyLines(await exportLines(api.db), head)).ok)
})
