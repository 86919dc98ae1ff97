import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#server/platform/database/ids.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewQueue, type Query } from '#server/testing/builders/review-queue.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'

test('refuses a malformed cursor or one of another order, but accepts a position without a claim', async (t) => {
  const { deps, db, ask, page, claimsOf, reviewer } = await reviewQueue(t)
  const ids = await claimsOf(await createUsers(db, deps.campaign.id, 6))
  for (const id of ids.slice(3)) await reviewer.approve(id)
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
    ...Array.from({ length: valid.length - 1 }, (_, length) => valid.slice(0, length + 1)),
    valid.slice(4),
    ...[
      '{',
      'null',
      '[]',
      '"oldest"',
      '{"0":"oldest"}',
      `["oldest","${micros}","${id}"`,
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
      ['oldest', ' 1', id],
      ['oldest', '١', id],
      ['oldest', '2026-99-99 00:00:00+00', id],
      ['oldest', 'now', id],
      ['oldest', 'infinity', id],
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
