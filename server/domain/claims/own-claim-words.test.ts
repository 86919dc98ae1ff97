import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OwnClaim, ownClaim } from '#contract/claims/claims.ts'
import type { Locale } from '#contract/locales.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { testApi } from '#server/testing/api.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reasonOf } from '../signals/signal-texts.ts'
import { holdClaim } from './decisions/hold-claim.ts'
import { reject } from './decisions/reject.ts'
import { submitProof } from './submission/submit-proof.ts'

test('a participant reads reasons in their language, and what a reviewer wrote as it is', async (t) => {
  const api = await testApi(t)
  const [{ token, user }, admin] = [await api.participant(), await api.administrator()]
  const { _id: claimId } = await submitProof(api.deps, user._id, freshProof())
  const own = async (locale: Locale) => {
    const { body } = await api.call(ownClaim, { token, headers: { 'accept-language': locale } })
    return (body.data as OwnClaim) ?? assert.fail()
  }
  const facts = { others: 2 }
  await api.db
    .insertInto('signals')
    .values({ claim_id: claimId, kind: 'same-text', weight: 60, facts: JSON.stringify(facts) })
    .execute()
  const reasons = [reasonOf('same-text', facts), 'It was said before.']
  await inTransaction(api.db, (tx) => holdClaim(tx, { claimId, reasons }))
  assert.deepEqual((await own('en')).claim?.heldFor, reasons)
  assert.deepEqual((await own('es')).claim?.heldFor, [
    reasonOf('same-text', facts, 'es'),
    'It was said before.',
  ])
  const reviewer = { userId: admin.user._id, role: 'admin', tokenHash: Buffer.alloc(0) } as const
  await reject(api.deps, {
    claimId,
    revision: undefined,
    reviewer,
    network: '192.0.2.1',
    reason: 'post_missing',
    text: 'Ben wrote this.',
  })
  for (const locale of ['en', 'es', 'ar'] as const) {
    const { claim, timeline } = await own(locale)
    const text = `${textsIn(locale).REJECTION_REASONS.post_missing} Ben wrote this.`
    assert.deepEqual(claim?.rejection, { code: 'post_missing', text })
    assert.deepEqual(timeline.findLast(({ what }) => what === 'rejected')?.reason?.text, text)
  }
})
