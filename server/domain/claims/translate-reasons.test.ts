import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type OwnClaim, ownClaim } from '#contract/claims/claims.ts'
import type { Locale } from '#contract/locales.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { testApi } from '#server/testing/api.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { reasonOf } from '../signals/signal-texts.ts'
import { holdClaim } from './decisions/hold-claim.ts'

/** Ann has a claim and reads it in any language. */
async function setUp(t: TestContext) {
  const { call, db, deps } = await testApi(t)
  const { claimId, token } = await claimant(deps)
  const readOwn = async (locale: Locale) => {
    const { body } = await call(ownClaim, { token, headers: { 'accept-language': locale } })
    return body.data as OwnClaim
  }
  return { db, deps, claimId, readOwn }
}

test('a participant reads the reasons of a hold in their language, except one whose signal is gone', async (t) => {
  const { db, claimId, readOwn } = await setUp(t)
  const facts = { others: 2 }
  await db
    .insertInto('signals')
    .values({ claim_id: claimId, kind: 'same-text', weight: 60, facts: JSON.stringify(facts) })
    .execute()
  const withoutSignal = 'The signal of this reason is gone.'
  const reasons = [reasonOf('same-text', facts), withoutSignal]
  await inTransaction(db, (tx) => holdClaim(tx, { claimId, reasons }))
  assert.deepEqual((await readOwn('en')).claim?.heldFor, reasons)
  assert.deepEqual((await readOwn('es')).claim?.heldFor, [reasonOf('same-text', facts, 'es'), withoutSignal])
})

test('a participant reads the reason of a rejection in their language, but the reviewer’s words as they are', async (t) => {
  const { db, deps, claimId, readOwn } = await setUp(t)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  await reviewerOn(deps, adm).reject(claimId, 'Ben wrote this.', 'post_missing')
  for (const locale of ['en', 'es', 'ar'] as const) {
    const { claim, timeline } = await readOwn(locale)
    const text = `${textsIn(locale).REJECTION_REASONS.post_missing} Ben wrote this.`
    assert.deepEqual(claim?.rejection, { code: 'post_missing', text })
    assert.equal(timeline.findLast(({ what }) => what === 'rejected')?.reason?.text, text)
  }
})
