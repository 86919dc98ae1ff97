import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listClaims, type ReviewRow, reviewSummary, RISK_THRESHOLDS } from '#contract/dashboard/review.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { appeal } from '../claims/appeal.ts'
import { holdClaim } from '../claims/decisions/hold-claim.ts'
import { MAX_MATCHES } from '../claims/search.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { type Query, reviewQueue } from '#server/testing/builders/review-queue.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'
import { campaignWith, inCampaign } from '#server/testing/database/races.ts'

/** A claim in the test's own model, which filters and sorts in memory. Times are texts with microseconds. */
type ModelClaim = Record<
  'id' | 'submitted_at' | 'username' | 'email' | 'wallet' | 'telegram' | 'twitter',
  string
> & { decided_at: string | null; risk: number; isAppealed: boolean }

type Summary = ReplyOf<typeof reviewSummary>['data']

const FILTERS: Record<string, (claim: ModelClaim) => boolean> = {
  waiting: ({ decided_at }) => decided_at === null,
  flagged: ({ decided_at, risk }) => decided_at === null && risk > 0,
  appealed: ({ isAppealed }) => isAppealed,
  decided: ({ decided_at }) => decided_at !== null,
  all: () => true,
}
const { medium, high } = RISK_THRESHOLDS
const BANDS: Record<string, (claim: Pick<ModelClaim, 'risk'>) => boolean> = {
  '': () => true,
  low: ({ risk }) => risk < medium,
  medium: ({ risk }) => risk >= medium && risk < high,
  high: ({ risk }) => risk >= high,
}

function expectedIds(
  model: readonly ModelClaim[],
  { filter = '', risk = '', search = '', sort = '' },
): string[] {
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
  const isLatestFirst = filter === 'decided' && sort === 'age'
  const prefix = search.toLowerCase().replace(/^@/, '')
  const matches = ({ username, email, wallet, telegram, twitter }: ModelClaim) =>
    [username, email, wallet, telegram, twitter].some((text) => text.toLowerCase().startsWith(prefix))
  return model
    .filter((claim) => FILTERS[filter]?.(claim) && BANDS[risk]?.(claim) && matches(claim))
    .toSorted((a, b) => {
      if (isLatestFirst) return compare(b.decided_at ?? '', a.decided_at ?? '') || compare(b.id, a.id)
      const byAge = compare(a.submitted_at, b.submitted_at) || compare(a.id, b.id)
      return sort === 'risk' ? b.risk - a.risk || byAge : byAge
    })
    .map(({ id }) => id)
}

/** Decides claims only in the database, each at another moment, or undoes that. */
const setDecided = (db: Database, ids: readonly (string | undefined)[], isDecided = true) =>
  sql`
    update claims set status = ${isDecided ? 'approved' : 'under_review'},
      decided_at = case when ${isDecided} then clock_timestamp() end
    where id = any(${ids}::uuid[])`.execute(db)

/** Claims with various risks. Some are held, decided, appealed or share a time. One is corrected. */
async function createClaims({ deps, db, reviewer, claimsOf }: Awaited<ReturnType<typeof reviewQueue>>) {
  const people = await createUsers(db, deps.campaign.id, 48, {
    email: (index) => `p${index % 5}.${index}@mail.example`,
  })
  const risks = [0, 1, medium - 1, medium, high - 1, high, 1_000_000]
  const claimIds = await claimsOf(people)
  for (const [index, claimId] of claimIds.entries()) {
    const [isHeld, isApproved, isRejected] = [index % 11 === 3, index % 4 === 1, index % 4 === 2]
    const isAppealed = index % 8 === 2 || (isHeld && index % 4 === 3)
    if (isHeld) await inTransaction(db, (tx) => holdClaim(tx, { claimId, reasons: ['Why.'] }))
    await sql`update claims set risk = ${risks[index % 7] ?? 0} where id = ${claimId}`.execute(db)
    if (isApproved) await setDecided(db, [claimId])
    if (isRejected) await markRejected(db, claimId)
    if (isAppealed) await appeal(deps, { userId: people[index]?.id ?? '', claimId, text: 'Please.' })
  }
  // Rounded down, so that some claims share a time.
  await sql`update claims set submitted_at = date_trunc('second', submitted_at) where risk < 2`.execute(db)
  await sql`update claims set decided_at = date_trunc('second', decided_at) where risk < 40`.execute(db)
  const [corrected] = people
  assert.ok(corrected)
  await reviewer.reject(claimIds[0] ?? '')
  await claimsOf([corrected])
  const [elsewhere] = await inCampaign([deps], campaignWith({}, 'elsewhere'))
  const claimElsewhere = await submitProof(elsewhere, corrected.id, freshProof())
  const { rows: model } = await sql<ModelClaim>`
    select c.id, to_char(submitted_at, 'YYYY-MM-DD HH24:MI:SS.US') as submitted_at,
      to_char(decided_at, 'YYYY-MM-DD HH24:MI:SS.US') as decided_at, risk,
      exists (select from appeals a where a.claim_id = c.id and a.answered_at is null) as "isAppealed",
      username, email, wallet, telegram, twitter
    from claims c join users u on u.id = c.user_id where c.id <> ${claimElsewhere._id}`.execute(db)
  return { model, claimElsewhere }
}

test('the list agrees with a model that filters and sorts all kinds of claims in memory', async (t) => {
  const queue = await reviewQueue(t)
  const { adm, all, call } = queue
  const { model, claimElsewhere } = await createClaims(queue)

  await t.test('every combination of filters and order lists each match once', async () => {
    const [one, another] = [model[5], model[17]]
    assert.ok(one && another)
    // Each search finds ids, to which filter and band then apply. So one search with many matches is tried
    // with every band.
    const inEveryBand = ['', 'P1.']
    const searches = [...inEveryBand, one.username, '@TELEGRAM', one.wallet, another.wallet.slice(0, 9)]
    // The last two match nothing: `_` is no wildcard, and claims in other campaigns are not listed.
    searches.push(`@${one.twitter}`, 'p_.', claimElsewhere.telegram)
    let listed = 0
    for (const filter of Object.keys(FILTERS))
      for (const risk of Object.keys(BANDS))
        for (const search of risk === '' ? searches : inEveryBand)
          for (const sort of ['age', 'risk']) {
            // Without a filter, a search is required.
            if (filter === 'all' && search === '') continue
            const query = { filter, sort, ...(risk ? { risk } : {}), ...(search ? { search } : {}) }
            const expected = expectedIds(model, { filter, risk, search, sort })
            // A search has one page, and a list without one several.
            const limit = search === '' ? 7 : 100
            assert.deepEqual(await all({ ...query, limit }), expected, JSON.stringify(query))
            if (search === '') listed += expected.length
          }
    // Searches do not count, because the random names determine how many claims they match.
    assert.ok(listed > 300, `${listed} rows were compared`)
  })

  await t.test('each claim has the band of its risk', async () => {
    const { body } = await call(listClaims, { token: adm.token, query: { filter: 'waiting', limit: '100' } })
    const rows = body.data as Pick<ReviewRow, 'risk' | 'riskBand'>[]
    assert.ok(rows.length > 0)
    for (const { risk, riskBand } of rows) assert.ok(BANDS[riskBand]?.({ risk }), `${riskBand} at ${risk}`)
  })

  await t.test('the summary counts each filter and band, and dates the oldest waiting claim', async () => {
    const { body } = await call(reviewSummary, { token: adm.token })
    const { waitingByRisk, oldestWaitingSince, ...counts } = body.data as Summary
    assert.deepEqual([...Object.keys(counts), 'all'].toSorted(), Object.keys(FILTERS).toSorted())
    for (const [filter, count] of Object.entries(counts))
      assert.equal(count, expectedIds(model, { filter, sort: 'age' }).length, filter)
    for (const [risk, count] of Object.entries(waitingByRisk))
      assert.equal(count, expectedIds(model, { filter: 'waiting', risk }).length, risk)
    const [oldestId] = expectedIds(model, { filter: 'waiting', sort: 'age' })
    const oldest = model.find(({ id }) => id === oldestId) ?? assert.fail()
    // The reply has milliseconds, the model microseconds.
    assert.equal(oldestWaitingSince?.replace(/T(.*)Z/, ' $1'), oldest.submitted_at.slice(0, -3))
  })
})

test('pages neither repeat nor skip claims while others are added and decided', async (t) => {
  const { deps, db, claimsOf, all } = await reviewQueue(t)
  for (const sort of ['age', 'risk'] as const)
    for (const filter of ['waiting', 'decided'] as const) {
      const ids = await claimsOf(await createUsers(db, deps.campaign.id, 18))
      // Sets risks in every band.
      await sql`update claims set risk = abs(hashtext(id::text)) % ${high + 10}`.execute(db)
      const staying = ids.filter((_, index) => index % 3 !== 0)
      const leaving = ids.filter((_, index) => index % 3 === 0)
      if (filter === 'decided') await setDecided(db, ids)
      const newcomers = await createUsers(db, deps.campaign.id, 6)
      const listed = await all({ filter, sort, limit: 4 }, async () => {
        // One claim before and one after the page leave, and one is added.
        await setDecided(db, [leaving.shift(), leaving.pop()], filter === 'waiting')
        const [next] = newcomers.splice(0, 1)
        if (next) await claimsOf([next])
      })
      const name = `${filter} by ${sort}`
      assert.equal(new Set(listed).size, listed.length, `${name} lists each claim once`)
      const skipped = staying.filter((id) => !listed.includes(id))
      assert.deepEqual(skipped, [], `${name} lists all claims that stay`)
      // Ends the claims of this round and frees their slots for the next round.
      await sql`
        update claims set status = 'rejected', reason_code = 'other', decided_at = '2020-01-01'`.execute(db)
      await sql`update slots set state = 'free', user_id = null`.execute(db)
      await db.updateTable('campaigns').set({ slots_taken: 0 }).execute()
    }
})

test('refuses an invalid search, and accepts any characters in a valid one', async (t) => {
  const { ask } = await reviewQueue(t)
  await assertInvalid(ask, [
    [{ search: 'a' }, { search: 'search_short' }],
    [{ search: '  a  ' }, { search: 'search_short' }],
    [{ search: 'x'.repeat(321) }, { search: 'text_long' }],
    [{ search: 'ab\u0000' }, { search: 'text_format' }],
    [{ search: '\u001b[0m' }, { search: 'text_format' }],
    [{ filter: 'all' }, { search: 'required' }],
  ])
  for (const search of ['\u{10ffff}\u{10ffff}', "' or true --", '\\', '%_', 'ſſ', '=1+1'])
    assert.equal((await ask({ search: search.padEnd(2, 'x') })).status, 200, JSON.stringify(search))
})

test('says that a search is cut if more accounts may match than are considered, even without claims', async (t) => {
  const { deps, db, page, claimsOf } = await reviewQueue(t)
  const few = await createUsers(db, deps.campaign.id, 3, { email: (index) => `few${index}@mail.example` })
  const [claimOfFirst] = await claimsOf(few)
  const { ids, isSearchCut } = await page({ search: 'few0' })
  assert.deepEqual({ ids, isSearchCut }, { ids: [claimOfFirst], isSearchCut: false })
  await createUsers(db, deps.campaign.id, MAX_MATCHES, { email: (index) => `many${index}@mail.example` })
  assert.equal((await page({ search: 'many' })).isSearchCut, true)
  assert.equal((await page({ search: 'many49' })).isSearchCut, false, 'only eleven match')
})

test('refuses a malformed cursor or a cursor of another order, but accepts a position without a claim', async (t) => {
  const { deps, db, ask, page, claimsOf } = await reviewQueue(t)
  const ids = await claimsOf(await createUsers(db, deps.campaign.id, 6))
  await setDecided(db, ids.slice(3))
  const next = async (query: Query) => (await page({ limit: 1, ...query })).next ?? assert.fail()
  const orders: Query[] = [{ sort: 'age' }, { sort: 'risk' }, { filter: 'decided' }]
  const cursors = await Promise.all(orders.map(next))
  for (const [order, query] of orders.entries())
    for (const [from, cursor] of cursors.entries()) {
      const { status } = await ask({ ...query, cursor })
      assert.equal(status, order === from ? 200 : 400, `cursor ${from} in order ${order}`)
    }
  const valid = cursors[0] ?? ''
  const encoded = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  const [, micros, id] = JSON.parse(Buffer.from(valid, 'base64url').toString()) as string[]
  const forged = [
    ...[1, valid.length / 2, valid.length - 1].map((length) => valid.slice(0, length)),
    valid.slice(4),
    ...['{', 'null', '[]', '"oldest"', '{"0":"oldest"}', `["oldest","${micros}","${id}"`].map(encoded),
    ...[
      ['oldest'],
      ['oldest', micros],
      ['oldest', id, micros],
      ['oldest', micros, id, id],
      ['latest', micros, id],
      ['oldest', Number(micros), id],
      ['oldest', micros, null],
      ['oldest', [micros], id],
      ['oldest', '-1', id],
      ['oldest', '9'.repeat(17), id],
      ['oldest', '1e5', id],
      ['oldest', '١', id],
      ['oldest', '2026-99-99 00:00:00+00', id],
      ['oldest', micros, '-'.repeat(36)],
      ['oldest', micros, 'f'.repeat(36)],
      ['oldest', micros, `${id}0`],
      ['oldest', micros, `${id}\n`],
      ['oldest', `${micros}\n`, id],
      ['oldest', `${micros}' or true --`, id],
      ['oldest\u0000', micros, id],
    ].map(encoded),
  ]
  for (const cursor of forged) await assertInvalid(ask, [[{ cursor }, { cursor: 'id_format' }]])
  // A risk has up to seven digits.
  for (const risk of ['99999999', '-99999999', '--1', '0.5', micros]) {
    const { status } = await ask({ sort: 'risk', cursor: encoded(['riskiest', risk, micros, id]) })
    assert.equal(status, 400, risk)
  }
  for (const [sort, position, remaining] of [
    ['age', ['oldest', '0', newId()], 3],
    ['age', ['oldest', '9'.repeat(16), newId()], 0],
    ['risk', ['riskiest', '-9999999', '0', newId()], 3],
    ['risk', ['riskiest', '9999999', '9'.repeat(16), newId()], 0],
  ] as const)
    assert.equal((await page({ sort, cursor: encoded(position) })).ids.length, remaining)
})
