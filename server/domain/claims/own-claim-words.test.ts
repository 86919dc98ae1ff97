import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OwnClaim, ownClaim } from '#contract/claims/claims.ts'
import type { Locale } from '#contract/locales.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reasonOf } from '../signals/signal-texts.ts'
import { holdClaim } from './decisions/hold-claim.ts'
import { submitProof } from './submission/submit-proof.ts'

test('a participant reads reasons in their language, except one whose signal is gone and what a reviewer wrote', async (t) => {
  const api = await testApi(t)
  const [{ id: userId, token }] = await createUsers(api.db, api.deps.campaign.id, 1)
  const [adm] = await createUsers(api.db, api.deps.campaign.id, 1, { role: 'admin' })
  const { _id: claimId } = await submitProof(api.deps, userId, freshProof())
  const own = async (locale: Locale) => {
    const { body } = await api.call(ownClaim, { token, headers: { 'accept-language': locale } })
    return (body.data as OwnClaim) ?? assert.fail()
  }
  const facts = { others: 2 }
  await api.db
    .insertInto('signals')
    .values({ claim_id: claimId, kind: 'same-text', weight: 60, facts: JSON.stringify(facts) })
    .execute()
  const withoutSignal = 'The signal of this reason is gone.'
  const reasons = [reasonOf('same-text', facts), withoutSignal]
  await inTransaction(api.db, (tx) => holdClaim(tx, { claimId, reasons }))
  assert.deepEqual((await own('en')).claim?.heldFor, reasons)
  assert.deepEqual((await own('es')).claim?.heldFor, [reasonOf('same-text', facts, 'es'), withoutSignal])
  await reviewerOn(api.deps, adm).reject(claimId, 'Ben wrote this.', 'post_missing')
  for (const locale of ['en', 'es', 'ar'] as const) {
    const { claim, timeline } = await own(locale)
    const text = `${textsIn(locale).REJECTION_REASONS.post_missing} Ben wrote this.`
    assert.deepEqual(claim?.rejection, { code: 'post_missing', text })
    assert.deepEqual(timeline.findLast(({ what }) => what === 'rejected')?.reason?.text, text)
  }
})
