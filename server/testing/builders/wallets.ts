import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { editClaim, ownClaim, type OwnClaim, submitProof } from '#contract/claims/claims.ts'
import type { Task } from '#contract/entities.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { reviewClaim, type ReviewClaim } from '#contract/dashboard/review.ts'
import { beginWallet, finishWallet, removeWallet } from '#contract/accounts/wallets.ts'
import { testApi } from '../api.ts'
import { createUsers, type TestUser } from './create-users.ts'
import { freshProof } from './proof.ts'

export const newOwner = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

export const chainWithoutContracts: Rpc = async (calls) => calls.map(() => ({ result: '0x' }))

export type IssuedMessage = { nonce: string; message: string }

/** The API on a chain without contracts, with two participants, an administrator, and calls about wallets. */
export async function walletSite(t: TestContext, options: Parameters<typeof testApi>[1] = {}) {
  const api = await testApi(t, { rpc: chainWithoutContracts, ...options })
  const { call, db, deps } = api
  const [ann, ben] = await createUsers(db, deps.campaign.id, 2)
  const [adm] = await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const begin = (wallet: string, { token }: TestUser = ann, headers = {}) =>
    call(beginWallet, { token, body: { wallet }, headers })
  /** Begins a proof. @returns the message to sign. */
  const ask = async (wallet: string, who = ann) => {
    const { status, body } = await begin(wallet, who)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data as IssuedMessage
  }
  const finish = (body: unknown, { token }: TestUser = ann) => call(finishWallet, { token, body })
  const prove = async (owner: PrivateKeyAccount, who = ann) => {
    const { nonce, message } = await ask(owner.address, who)
    return finish({ nonce, signature: await owner.signMessage({ message }) }, who)
  }
  const remove = ({ token }: TestUser = ann) => call(removeWallet, { token })
  const readWallet = async ({ token }: TestUser = ann) =>
    ((await call(ownClaim, { token })).body.data as OwnClaim).provenWallet
  const readAddress = async (who = ann) => (await readWallet(who))?.address ?? null
  const submit = (wallet: string, { token }: TestUser = ann) =>
    call(submitProof, { token, body: { ...freshProof(), wallet } })
  const claim = async ({ address }: PrivateKeyAccount, who = ann) => {
    const { status, body, text } = await submit(address, who)
    assert.equal(status, 201, text)
    return (body.data as Task)._id
  }
  const edit = (taskId: string, wallet: string, { token }: TestUser = ann) =>
    call(editClaim, { token, params: { taskId }, body: { ...freshProof(), wallet } })
  /** Runs the checks that are due. @returns the outcome that a reviewer reads about the claim's wallet. */
  const readOutcome = async (claimId: string) => {
    await api.runClaimChecks()
    const { body } = await call(reviewClaim, { token: adm.token, params: { claimId } })
    const { evidence } = body.data as ReviewClaim
    return evidence.find(({ check }) => check === 'wallet-owned')?.outcome
  }
  return {
    ...api,
    ann,
    ben,
    adm,
    begin,
    ask,
    finish,
    prove,
    remove,
    readWallet,
    readAddress,
    submit,
    claim,
    edit,
    readOutcome,
  }
}
