import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listClaims, type ReviewRow, reviewSummary, RISK_THRESHOLDS } from '#contract/dashboard/review.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { appeal } from '../claims/appeal.ts'
import { holdClaim } from '../claims/decisions/hold-claim.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewQueue } from '#server/testing/builders/review-queue.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'

/** A claim in the test's own model, which filters and sorts in memory. */
type Known = {
  id: string
  submitted_at: string
  decided_at: string | null
  risk: number
  appealed: boolean
  texts: string[]
}

const FILTERS: Record<string, (claim: Known) => boolean> = {
  waiting: ({ decided_at }) => decided_at === null,
  flagged: ({ decided_at, risk }) => decided_at === null && risk > 0,
  appealed: ({ appealed }) => appealed,
  decided: ({ decided_at }) => decided_at !== null,
}
const BANDS: Record<string, (claim: Known) => boolean> = {
  '': () => true,
  low: ({ risk }) => risk < RISK_THRESHOLDS.medium,
  medium: ({ risk }) => risk >= RISK_THRESHOLDS.medium && risk < RISK_THRESHOLDS.high,
  high: ({ risk }) => risk >= RISK_THRESHOLDS.high,
}

/** The expected list; times are texts of one length, to the microsecond. */
function expected(known: readonly Known[], { filter = '', risk = '', search = '', sort = '' }): string[] {
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
  const isLatestFirst = filter === 'decided' && sort === 'age'
  const prefix = search.toLowerCase().replace(/^@/, '')
  return known
    .filter((claim) => FILTERS[filter]?.(claim) && BANDS[risk]?.(claim))
    .filter(({ texts }) => texts.some((text) => text.toLowerCase().startsWith(prefix)))
    .toSorted((a, b) => {
      if (isLatestFirst) return compare(b.decided_at ?? '', a.decided_at ?? '') || compare(b.id, a.id)
      const byAge = compare(a.submitted_at, b.submitted_at) || compare(a.id, b.id)
      return sort === 'risk' ? b.risk - a.risk || byAge : byAge
    })
    .map(({ id }) => id)
}

test('every combination of filter, risk, search and order lists each matching claim once', async (t) => {
  const { deps, db, reviewer, adm, claimsOf, all, call } = await reviewQueue(t)
  const people = await createUsers(db, deps.campaign.id, 48, {
    email: (index) => `p${index % 5}.${index}@mail.example`,
  })
  const ids = await claimsOf(people)
  const { medium, high } = RISK_THRESHOLDS
  const risks = [0, 1, medium - 1, medium, high - 1, high, 1_000_000]
  for (const [index, id] of ids.entries()) {
    if (index % 11 === 3) await inTransaction(db, (tx) => holdClaim(tx, { claimId: id, reasons: ['Why.'] }))
    await sql`update claims set risk = ${risks[index % 7] ?? 0} where id = ${id}`.execute(db)
    if (index % 4 === 1) await reviewer.approve(id)
    if (index % 4 === 2) await reviewer.reject(id)
    if (index % 8 === 2 || (index % 11 === 3 && index % 4 === 3))
      await appeal(deps, { userId: people[index]?.id ?? '', claimId: id, text: 'Please.' })
  }
  // Several share a time; one is corrected, so its participant has two claims.
  await sql`update claims set submitted_at = date_trunc('second', submitted_at) where risk < 2`.execute(db)
  await sql`update claims set decided_at = date_trunc('second', decided_at) where risk < 40`.execute(db)
  const correcting = people[6]
  assert.ok(correcting)
  await claimsOf([correcting])
  const { rows: known } = await sql<Known>`
    select c.id, to_char(submitted_at, 'YYYY-MM-DD HH24:MI:SS.US') as submitted_at,
      to_char(decided_at, 'YYYY-MM-DD HH24:MI:SS.US') as decided_at, risk,
      exists (select from appeals a where a.claim_id = c.id and a.answered_at is null) as appealed,
      array[username, email, wallet, telegram, twitter] as texts
    from claims c join users u on u.id = c.user_id`.execute(db)
  const [claim, another] = [known[5], known[17]]
  assert.ok(claim && another)
  const [wallet = '', prefix = ''] = [claim.texts[2], another.texts[2]?.slice(0, 9)]
  const [name = '', handle] = [people[3]?.username, `@${claim.texts[4]}`]
  const searches = ['', name, 'P1.', '@TELEGRAM', wallet, prefix, handle, 'p_.']
  let listed = 0
  for (const filter of Object.keys(FILTERS))
    for (const risk of Object.keys(BANDS))
      for (const search of searches)
        for (const sort of ['age', 'risk']) {
          const query = { filter, sort, ...(risk ? { risk } : {}), ...(search ? { search } : {}) }
          const want = expected(known, { filter, risk, search, sort })
          const limit = search === '' ? 7 : 100
          assert.deepEqual(await all({ ...query, limit }), want, JSON.stringify(query))
          if (search === '') listed += want.length
        }
  // How many a search matches depends on the random names.
  assert.ok(listed > 300, `${listed} rows were compared`)
  const waiting = await call(listClaims, { token: adm.token, query: { filter: 'waiting', limit: '100' } })
  const rows = waiting.body.data as Pick<ReviewRow, 'risk' | 'riskBand'>[]
  assert.ok(rows.length > 0)
  for (const { risk, riskBand } of rows)
    assert.ok(BANDS[riskBand]?.({ ...claim, risk }), `${riskBand} at ${risk}`)
  const { body } = await call(reviewSummary, { token: adm.token })
  const counts = body.data as Record<string, number>
  for (const filter of Object.keys(FILTERS))
    assert.equal(counts[filter], expected(known, { filter, sort: 'age' }).length, filter)
})

test('pages neither repeat nor skip claims while others are added and decided', async (t) => {
  const { deps, db, reviewer, claimsOf, all } = await reviewQueue(t)
  for (const sort of ['age', 'risk'] as const)
    for (const filter of ['waiting', 'decided'] as const) {
      const ids = await claimsOf(await createUsers(db, deps.campaign.id, 18))
      await sql`update claims set risk = abs(hashtext(id::text)) % 70`.execute(db)
      const stays = ids.filter((_, index) => index % 3 !== 0)
      const goes = ids.filter((_, index) => index % 3 === 0)
      if (filter === 'decided') for (const id of ids) await reviewer.approve(id)
      const newcomers = await createUsers(db, deps.campaign.id, 6)
      const seen = await all({ filter, sort, limit: 4 }, async () => {
        // One claim before and one after the page leave, and one is added.
        for (const id of [goes.shift(), goes.pop()])
          if (id) await (filter === 'waiting' ? reviewer.approve(id) : reviewer.undo(id))
        const [next] = newcomers.splice(0, 1)
        if (next) await claimsOf([next])
      })
      const name = `${filter} by ${sort}`
      assert.equal(new Set(seen).size, seen.length, `${name}: once`)
      assert.deepEqual(new Set(stays).difference(new Set(seen)), new Set(), `${name}: all that stayed`)
      // Cleanup for the next round.
      await sql`
        update claims set status = 'rejected', reason_code = 'other', decided_at = '2020-01-01'`.execute(db)
      await sql`update slots set state = 'free', user_id = null`.execute(db)
      await db.updateTable('campaigns').set({ slots_taken: 0 }).execute()
    }
})

test('refuses an invalid search; says if a search matches too many accounts, even without claims; finds no claim of another campaign', async (t) => {
  const { deps, db, call, ask, page, claimsOf } = await reviewQueue(t)
  await assertInvalid(ask, [
    [{ search: 'a' }, { search: 'search_short' }],
    [{ search: '  a  ' }, { search: 'search_short' }],
    [{ search: 'x'.repeat(321) }, { search: 'text_long' }],
    [{ search: 'ab\u0000' }, { search: 'text_format' }],
    [{ search: '\u001b[0m' }, { search: 'text_format' }],
  ])
  for (const search of ['\u{10ffff}\u{10ffff}', "' or true --", '\\', '%_', 'ſſ', '=1+1'])
    assert.equal((await ask({ search: search.padEnd(2, 'x') })).status, 200, JSON.stringify(search))

  const few = await createUsers(db, deps.campaign.id, 3, { email: (index) => `few${index}@mail.example` })
  const claims = await claimsOf(few)
  const found = await page({ search: 'few0' })
  assert.deepEqual([found.ids, found.isSearchCut], [claims.slice(0, 1), false])
  const [ann] = few
  assert.equal((await call(listClaims, { token: ann.token })).status, 403)
  await db.insertInto('campaigns').values({ id: 'other', slots_total: 1, slots_taken: 1 }).execute()
  const slot = { campaign_id: 'other', number: 1, user_id: ann.id, state: 'claimed' }
  await db.insertInto('slots').values(slot).execute()
  const { wallet, telegram } = freshProof()
  await sql`
    insert into claims (id, campaign_id, user_id, slot, wallet, telegram, twitter, post_id, retweet_link)
    values (${newId()}, 'other', ${ann.id}, 1, ${wallet}, ${telegram}, 'x', '1',
      'https://x.com/x/status/1')`.execute(db)
  assert.deepEqual((await page({})).ids, claims)
  assert.deepEqual((await page({ search: telegram })).ids, [])

  await createUsers(db, deps.campaign.id, 500, { email: (index) => `many${index}@mail.example` })
  assert.equal((await page({ search: 'many' })).isSearchCut, true)
  assert.equal((await page({ search: 'many49' })).isSearchCut, false)
})
