import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewClaim, type ReviewClaim } from '#contract/dashboard/review.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { newOwner, walletSite } from '#server/testing/builders/wallets.ts'
import { scoreClaim } from '../signals/score-claim.ts'

// Ann makes the calls of `walletSite` unless they are given someone else. `readOutcome` runs the due checks.

test('refuses to submit or edit a claim with a wallet that another participant has proven', async (t) => {
  const { prove, remove, submit, claim, edit, ann, ben } = await walletSite(t)
  const owner = newOwner()
  await prove(owner)
  const refused = await submit(owner.address.toLowerCase(), ben)
  assert.deepEqual([refused.status, refused.body.code], [409, 'wallet_taken'])
  assert.ok(!refused.text.includes(ann.username))
  const claimId = await claim(newOwner(), ben)
  const edited = await edit(claimId, owner.address, ben)
  assert.deepEqual([edited.status, edited.body.code], [409, 'wallet_taken'])
  await remove()
  assert.equal((await edit(claimId, owner.address, ben)).status, 200, 'nobody has proven it any longer')
})

test('shows the reviewer a wallet as confirmed while its participant has proven it', async (t) => {
  const { prove, remove, claim, edit, readOutcome } = await walletSite(t)
  const owner = newOwner()
  const claimId = await claim(owner)
  const assertOutcome = async (outcome: string, message: string) =>
    assert.equal(await readOutcome(claimId), outcome, message)
  await assertOutcome('could_not_tell', 'nothing is proven')
  await prove(owner)
  await assertOutcome('confirmed', 'the wallet is proven')
  await prove(newOwner())
  await assertOutcome('could_not_tell', 'another wallet is proven instead')
  await prove(owner)
  await assertOutcome('confirmed', 'the wallet is proven again')
  await remove()
  await assertOutcome('could_not_tell', 'the proof is removed')
  await prove(owner)
  await assertOutcome('confirmed', 'the wallet is proven after the removal')
  assert.equal((await edit(claimId, newOwner().address)).status, 200)
  await assertOutcome('could_not_tell', 'the claim names another wallet now')
})

test('shows the reviewer a wallet as contradicted while another participant has proven it', async (t) => {
  const { prove, remove, claim, readOutcome, ben } = await walletSite(t)
  const owner = newOwner()
  const claimId = await claim(owner, ben)
  assert.equal(await readOutcome(claimId), 'could_not_tell')
  assert.equal((await prove(owner)).status, 200, 'Ann proves the wallet of Ben’s claim')
  assert.equal(await readOutcome(claimId), 'contradicted')
  await prove(newOwner())
  assert.equal(await readOutcome(claimId), 'could_not_tell', 'another wallet is proven instead')
  await prove(owner)
  assert.equal(await readOutcome(claimId), 'contradicted')
  await remove()
  assert.equal(await readOutcome(claimId), 'could_not_tell', 'the proof is removed')
})

test('does not count a missing proof of the wallet against a claim', async (t) => {
  const { prove, claim, readOutcome, call, db, adm, ben } = await walletSite(t)
  const review = async (claimId: string) => {
    await readOutcome(claimId)
    await scoreClaim(db, claimId)
    const { body } = await call(reviewClaim, { token: adm.token, params: { claimId } })
    const { status, risk, evidence, signals } = body.data as ReviewClaim
    const contradicted = evidence.filter(({ outcome }) => outcome === 'contradicted')
    return { status, risk, contradicted, signals: signals.map(({ kind }) => kind) }
  }
  const owner = newOwner()
  await prove(owner)
  const withProof = await review(await claim(owner))
  const withoutProof = await review(await claim(newOwner(), ben))
  assert.deepEqual(withoutProof, withProof)
  assert.deepEqual(withoutProof.contradicted, [])
  assert.deepEqual(withoutProof.signals, ['quick-proof'], 'the test submits faster than people do')
})

test('keeps the wallet of an approved claim until the approval is undone', async (t) => {
  const { prove, ask, finish, begin, remove, readAddress, claim, deps, adm } = await walletSite(t)
  const [owner, otherOwner] = [newOwner(), newOwner()]
  await prove(owner)
  const claimId = await claim(owner)
  const { nonce, message } = await ask(otherOwner.address)
  const signature = await otherOwner.signMessage({ message })
  await reviewerOn(deps, adm).approve(claimId)
  for (const { status, body } of [
    await begin(otherOwner.address),
    await finish({ nonce, signature }),
    await remove(),
  ])
    assert.deepEqual([status, body.code], [409, 'wallet_fixed'])
  assert.equal(await readAddress(), owner.address)
  await reviewerOn(deps, adm).undo(claimId)
  assert.equal((await remove()).status, 200, 'the approval is undone')
})

test('a reopened claim loses the proof that its participant removed while it was rejected', async (t) => {
  const { prove, remove, claim, readOutcome, deps, adm } = await walletSite(t)
  const owner = newOwner()
  await prove(owner)
  const claimId = await claim(owner)
  assert.equal(await readOutcome(claimId), 'confirmed')
  await reviewerOn(deps, adm).reject(claimId)
  await remove()
  await reviewerOn(deps, adm).undo(claimId)
  assert.equal(await readOutcome(claimId), 'could_not_tell')
})

test('refuses to reopen a rejected claim whose wallet another participant has proven since', async (t) => {
  const { prove, claim, deps, adm, ben } = await walletSite(t)
  const owner = newOwner()
  const claimId = await claim(owner, ben)
  await reviewerOn(deps, adm).reject(claimId)
  await prove(owner)
  await assert.rejects(reviewerOn(deps, adm).undo(claimId), { code: 'wallet_taken' })
})
