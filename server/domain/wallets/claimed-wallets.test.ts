import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editClaim } from '#contract/claims/claims.ts'
import type { Task } from '#contract/entities.ts'
import { reviewClaim, type ReviewClaim } from '#contract/dashboard/review.ts'
import type { TestUser } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { newOwner, walletSite } from '#server/testing/builders/wallets.ts'
import { scoreClaim } from '../signals/score-claim.ts'

const idOf = ({ body }: { body: { data?: unknown } }) => (body.data as Task)._id

test('refuses to submit or edit a claim with a wallet that another participant has proven', async (t) => {
  const { prove, remove, claim, call, ann, ben } = await walletSite(t)
  const owner = newOwner()
  await prove(owner)
  const refused = await claim(owner.address.toLowerCase(), ben)
  assert.deepEqual([refused.status, refused.body.code], [409, 'wallet_taken'])
  assert.ok(!refused.text.includes(ann.username))
  const taskId = idOf(await claim(newOwner().address, ben))
  const body = { ...freshProof(), wallet: owner.address }
  const edited = await call(editClaim, { token: ben.token, params: { taskId }, body })
  assert.deepEqual([edited.status, edited.body.code], [409, 'wallet_taken'])
  await remove()
  assert.equal((await call(editClaim, { token: ben.token, params: { taskId }, body })).status, 200)
})

test('tells the reviewer whether the claim’s wallet is proven, by its participant or by another, as it changes', async (t) => {
  const { prove, remove, claim, seen, call, ann, ben } = await walletSite(t)
  const owner = newOwner()
  const taskId = idOf(await claim(owner.address))
  assert.equal(await seen(taskId), 'could_not_tell', 'nothing is proven')
  await prove(owner)
  assert.equal(await seen(taskId), 'confirmed')
  await prove(newOwner())
  assert.equal(await seen(taskId), 'could_not_tell', 'another wallet')
  await prove(owner)
  assert.equal(await seen(taskId), 'confirmed')
  await remove()
  assert.equal(await seen(taskId), 'could_not_tell', 'removed')
  await prove(owner)
  assert.equal(await seen(taskId), 'confirmed')
  const body = { ...freshProof(), wallet: newOwner().address }
  assert.equal((await call(editClaim, { token: ann.token, params: { taskId }, body })).status, 200)
  assert.equal(await seen(taskId), 'could_not_tell', 'the claim names another wallet now')

  const bensWallet = newOwner()
  const claimId = idOf(await claim(bensWallet.address, ben))
  assert.equal(await seen(claimId), 'could_not_tell')
  assert.equal((await prove(bensWallet)).status, 200)
  assert.equal(await seen(claimId), 'contradicted')
  await prove(newOwner())
  assert.equal(await seen(claimId), 'could_not_tell', 'replaced')
  await prove(bensWallet)
  assert.equal(await seen(claimId), 'contradicted')
  await remove()
  assert.equal(await seen(claimId), 'could_not_tell', 'removed')
})

test('counts nothing against a claim without a proven wallet', async (t) => {
  const { prove, claim, seen, call, db, adm, ann, ben } = await walletSite(t)
  const owner = newOwner()
  await prove(owner)
  const viewOf = async (wallet: string, who: TestUser) => {
    const params = { claimId: idOf(await claim(wallet, who)) }
    await seen(params.claimId)
    await scoreClaim(db, params.claimId)
    const { body } = await call(reviewClaim, { token: adm.token, params })
    const { status, risk, evidence, signals } = body.data as ReviewClaim
    const contradicted = evidence.filter(({ outcome }) => outcome === 'contradicted')
    return { status, risk, contradicted, signals: signals.map(({ kind }) => kind) }
  }
  const [withProof, without] = [await viewOf(owner.address, ann), await viewOf(newOwner().address, ben)]
  assert.deepEqual(without, withProof)
  assert.deepEqual([without.contradicted, without.signals], [[], ['quick-proof']])
})

test('keeps the wallet of an approved claim until the approval is undone', async (t) => {
  const { prove, ask, finish, begin, remove, proven, claim, deps, adm } = await walletSite(t)
  const [owner, another] = [newOwner(), newOwner()]
  await prove(owner)
  const claimId = idOf(await claim(owner.address))
  const { nonce, message } = await ask(another.address)
  const signature = await another.signMessage({ message })
  await reviewerOn(deps, adm).approve(claimId)
  for (const { status, body } of [
    await begin(another.address),
    await finish({ nonce, signature }),
    await remove(),
  ])
    assert.deepEqual([status, body.code], [409, 'wallet_fixed'])
  assert.equal(await proven(), owner.address)
  await reviewerOn(deps, adm).undo(claimId)
  assert.equal((await remove()).status, 200)
})

test('refuses to reopen a rejected claim whose wallet another participant has proven since', async (t) => {
  const { prove, claim, deps, adm, ben } = await walletSite(t)
  const owner = newOwner()
  const claimId = idOf(await claim(owner.address, ben))
  await reviewerOn(deps, adm).reject(claimId)
  await prove(owner)
  await assert.rejects(reviewerOn(deps, adm).undo(claimId), { code: 'wallet_taken' })
})
