import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { meetAtClaim, meetAtLock, ROUNDS, tally, twoNodes } from '#server/testing/database/races.ts'
import { chainWithoutContracts, newOwner } from '#server/testing/builders/wallets.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { lockOwnAccount } from '../accounts/lock-account.ts'
import { editClaim } from '../claims/submission/edit-claim.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { checkClaim } from '../evidence/check-claim.ts'
import { readEvidence } from '../evidence/findings.ts'
import { CHECK_JOB } from '../evidence/start-checks.ts'
import { walletOwnerSource } from '../evidence/wallet.ts'
import { beginProvingWallet, finishProvingWallet } from './prove-wallet.ts'
import { readProvenWallet, removeWallet } from './proven-wallet.ts'

const NETWORK = '192.0.2.1'
/** For races whose calls are made to meet in the first round, and meet by chance in the others. */
const FEW_ROUNDS = 1 + ROUNDS / 2

async function sign(node: Deps, { id: userId }: TestUser, owner: PrivateKeyAccount, signer = owner) {
  const asked = await beginProvingWallet(node, 'http://localhost:3000', { userId, wallet: owner.address })
  const signature = await signer.signMessage({ message: asked.message })
  return { userId, network: NETWORK, nonce: asked.nonce, signature }
}
const finish = (node: Deps, signed: Awaited<ReturnType<typeof sign>>) =>
  finishProvingWallet(node, chainWithoutContracts, signed)
const prove = async (node: Deps, who: TestUser, owner: PrivateKeyAccount) =>
  finish(node, await sign(node, who, owner))
const proofWith = ({ address }: PrivateKeyAccount) => ({ ...freshProof(), wallet: address })

const provenBy = ({ db, campaign }: Deps, { id }: TestUser) => readProvenWallet(db, campaign.id, id)

/** Starts the calls at once, in an order that changes each round. @returns how many had each outcome. */
const race = (round: number, calls: readonly (() => Promise<unknown>)[]) =>
  tally((round % 2 === 1 ? calls.toReversed() : calls).map((call) => call()))

/** Two nodes, and two participants per round. `ann` and `ben` belong to the first round. */
async function setUp(t: TestContext) {
  const [one, two] = await twoNodes(t)
  const people = await createUsers(one.db, one.campaign.id, ROUNDS * 2)
  const pairs = Array.from({ length: ROUNDS }, (_, round) => {
    const [ann = assert.fail(), ben = assert.fail()] = people.slice(round * 2)
    return { round, ann, ben }
  })
  const [{ ann, ben } = assert.fail()] = pairs
  return { one, two, pairs, ann, ben }
}

/** The outcome that a reviewer reads, after all due checks. */
async function outcomeOf(node: Deps, claimId: string): Promise<string | undefined> {
  await runDue(node.db, CHECK_JOB, (job) => checkClaim(node, [walletOwnerSource], job))
  return (await readEvidence(node.db, claimId)).find(({ check }) => check === 'wallet-owned')?.outcome
}

test('race: accepts one of several parallel uses of a message', async (t) => {
  const { one, two, pairs } = await setUp(t)
  for (const { round, ann } of pairs) {
    const signed = await sign(one, ann, newOwner())
    const counts = await tally([finish(one, signed), finish(two, signed), finish(one, signed)])
    assert.deepEqual(counts, { done: 1, wallet_message_expired: 2 }, `round ${round}`)
  }
})

test('race: lets only one of two participants prove a wallet', async (t) => {
  const { one, two, pairs } = await setUp(t)
  for (const { round, ann, ben } of pairs) {
    const owner = newOwner()
    // In every other round, Ben replaces an earlier wallet.
    if (round % 2 === 1) await prove(one, ben, newOwner())
    const [hers, his] = [await sign(one, ann, owner), await sign(two, ben, owner)]
    const counts = await tally([finish(one, hers), finish(two, his)])
    assert.deepEqual(counts, { done: 1, wallet_proven: 1 }, `round ${round}`)
    const holders = one.db.selectFrom('proven_wallets').select('user_id').where('address', '=', owner.address)
    assert.equal((await holders.execute()).length, 1, `round ${round}`)
  }
})

test('race: refuses two participants who prove each other’s wallets, without a deadlock', async (t) => {
  const { one, two, pairs } = await setUp(t)
  for (const { round, ann, ben } of pairs) {
    const [hers, his] = [newOwner(), newOwner()]
    await prove(one, ann, hers)
    await prove(one, ben, his)
    const [annNext, benNext] = [await sign(one, ann, his), await sign(two, ben, hers)]
    const counts = await tally([finish(one, annNext), finish(two, benNext)])
    assert.deepEqual(counts, { wallet_proven: 2 }, `round ${round}`)
  }
})

const claimOf = ({ db }: Deps, { id }: TestUser) =>
  db.selectFrom('claims').select('id').where('user_id', '=', id).executeTakeFirst()

test('a claim waits while its wallet is being proven, and is refused', async (t) => {
  const { one, two, ann, ben } = await setUp(t)
  const owner = newOwner()
  await prove(one, ann, newOwner())
  const signed = await sign(one, ann, owner)
  // `meetAtLock` holds this lock until both calls wait. The proof has locked the new wallet by then.
  const lockFormer = (tx: Tx) =>
    tx.selectFrom('proven_wallets').select('user_id').where('user_id', '=', ann.id).forUpdate().execute()
  const calls = await meetAtLock<unknown>(one.db, lockFormer, [
    () => finish(two, signed),
    () => submitProof(one, ben.id, proofWith(owner)),
  ])
  const outcomes = await Promise.all(calls.map((call) => tally([call])))
  assert.deepEqual(outcomes, [{ done: 1 }, { wallet_taken: 1 }])
})

test('proving a wallet waits while a claim with it is being submitted, and then contradicts the claim', async (t) => {
  const { one, two, ann, ben } = await setUp(t)
  const owner = newOwner()
  const signed = await sign(two, ann, owner)
  const submit = (tx: Tx) => submitProof({ ...one, db: tx }, ben.id, proofWith(owner))
  assert.deepEqual(await tally(await meetAtLock(one.db, submit, [() => finish(two, signed)])), { done: 1 })
  const { id } = (await claimOf(one, ben)) ?? assert.fail()
  assert.equal(await outcomeOf(one, id), 'contradicted')
})

test('repeats a check that saves its result while the claim’s wallet is being proven', async (t) => {
  const { one, two, ann, ben } = await setUp(t)
  const owner = newOwner()
  const { _id: claimId } = await submitProof(one, ben.id, proofWith(owner))
  const signed = await sign(two, ann, owner)
  // The check waits for this lock once it has read the proven wallets for the last time.
  const text = { claim_id: claimId, campaign_id: one.campaign.id, words: 'moon', bands: [] }
  await one.db.insertInto('post_texts').values(text).execute()
  const lockText = (tx: Tx) => tx.selectFrom('post_texts').select('words').forUpdate().execute()
  const [checking, proving] = await meetAtLock<unknown>(one.db, lockText, [
    () => checkClaim(one, [walletOwnerSource], { id: newId(), payload: { claimId }, attempts: 1 }),
    () => finish(two, signed),
  ])
  await Promise.all([checking, proving])
  assert.equal(await outcomeOf(one, claimId), 'contradicted')
})

test('race: proving, removing and editing at once leave evidence that matches what is stored', async (t) => {
  const { one, two, pairs } = await setUp(t)
  for (const { round, ann } of pairs) {
    const [current, next] = [newOwner(), newOwner()]
    const { _id: claimId } = await submitProof(one, ann.id, proofWith(current))
    if (round % 2 === 1) await prove(one, ann, current)
    const signed = await sign(one, ann, next)
    const edit = { userId: ann.id, claimId, proof: proofWith(next) }
    const counts = await tally([
      finish(one, signed),
      editClaim(two, edit),
      removeWallet(two, { userId: ann.id, network: NETWORK }),
      outcomeOf(one, claimId),
    ])
    assert.deepEqual(counts, { done: 4 }, `round ${round}`)
    const proven = await provenBy(one, ann)
    const expected = proven?.address === next.address ? 'confirmed' : 'could_not_tell'
    assert.equal(await outcomeOf(one, claimId), expected, `round ${round}`)
  }
})

test('race: an approved claim keeps its wallet if approving and removing happen at once', async (t) => {
  const { one, two, pairs } = await setUp(t)
  const [adm] = await createUsers(one.db, one.campaign.id, 1, { role: 'admin' })
  for (const { round, ann } of pairs) {
    const owner = newOwner()
    await prove(one, ann, owner)
    const { _id } = await submitProof(one, ann.id, proofWith(owner))
    const counts = await race(round, [
      () => reviewerOn(one, adm).approve(_id),
      () => removeWallet(two, { userId: ann.id, network: NETWORK }),
    ])
    const isKept = (await provenBy(one, ann)) !== null
    assert.deepEqual(counts, isKept ? { done: 1, wallet_fixed: 1 } : { done: 2 }, `round ${round}`)
  }
})

/** Locks wallets, so that a proof of one waits once it has locked the account. */
const lockWallets =
  ({ campaign }: Deps, ...owners: readonly PrivateKeyAccount[]) =>
  async (tx: Tx) => {
    for (const { address } of owners)
      await sql`select pg_advisory_xact_lock(1271, wallet_lock(${campaign.id}, ${address}))`.execute(tx)
  }

test('race: contradicts a claim’s wallet that the referrer proves while the claim is approved', async (t) => {
  const { one, two, pairs } = await setUp(t)
  const [adm] = await createUsers(one.db, one.campaign.id, 1, { role: 'admin' })
  for (const { round, ann } of pairs.slice(0, FEW_ROUNDS)) {
    const [invited] = await createUsers(one.db, one.campaign.id, 1, { referredBy: ann.id })
    const owner = newOwner()
    const { _id: claimId } = await submitProof(one, invited.id, proofWith(owner))
    const hers = await sign(two, ann, owner)
    const calls = [() => finish(two, hers), () => reviewerOn(one, adm).approve(claimId)]
    // In the first round, the proof has locked the referrer when the approval locks the claim.
    const counts = await (round === 0
      ? tally(await meetAtLock<unknown>(one.db, lockWallets(one, owner), calls))
      : race(round, calls))
    assert.deepEqual(counts, { done: 2 }, `round ${round}`)
    assert.equal(await outcomeOf(one, claimId), 'contradicted', `round ${round}`)
  }
})

test('race: lets two participants prove the wallets of each other’s claims', async (t) => {
  const { one, two, pairs } = await setUp(t)
  for (const { round, ann, ben } of pairs.slice(0, FEW_ROUNDS)) {
    const [hers, his] = [newOwner(), newOwner()]
    const { _id: annsClaim } = await submitProof(one, ann.id, proofWith(his))
    const { _id: bensClaim } = await submitProof(one, ben.id, proofWith(hers))
    const [signedByAnn, signedByBen] = [await sign(one, ann, hers), await sign(two, ben, his)]
    const calls = [() => finish(one, signedByAnn), () => finish(two, signedByBen)]
    // In the first round, both proofs have locked their accounts.
    const counts = await (round === 0
      ? tally(await meetAtLock(one.db, lockWallets(one, hers, his), calls))
      : race(round, calls))
    assert.deepEqual(counts, { done: 2 }, `round ${round}`)
    for (const id of [annsClaim, bensClaim])
      assert.equal(await outcomeOf(one, id), 'contradicted', `round ${round}`)
  }
})

test('race: leaves no wallet that is proven while the account claims and is deleted', async (t) => {
  const { one, two, ann } = await setUp(t)
  const signed = await sign(one, ann, newOwner())
  const claimAndDelete = async () => {
    await submitProof(two, ann.id, freshProof())
    await deleteAccount(two, { userId: ann.id, by: ann.id })
  }
  // The proof finds no claim. The deletion waits behind it for the account, and has locked a claim.
  const lockAnn = (tx: Tx) => lockOwnAccount(tx, ann.id)
  const calls = await meetAtLock<unknown>(one.db, lockAnn, [() => finish(one, signed), claimAndDelete])
  assert.deepEqual(await tally(calls), { done: 2 })
  assert.equal(await provenBy(one, ann), null)
})

test('removing a wallet locks the claim before the account', async (t) => {
  const { one, two, ann } = await setUp(t)
  const owner = newOwner()
  await prove(one, ann, owner)
  const { _id: claimId } = await submitProof(one, ann.id, proofWith(owner))
  // Fails if the removal has locked the account already.
  const lockAccount = (tx: Tx) =>
    tx.selectFrom('users').select('id').where('id', '=', ann.id).forUpdate().noWait().execute()
  const remove = () => removeWallet(two, { userId: ann.id, network: NETWORK })
  assert.deepEqual(await tally(await meetAtClaim(one, claimId, [remove], lockAccount)), { done: 1 })
})

test('race: proves no wallet for an account that is deleted while a smart wallet is asked', async (t) => {
  const [one, two] = await twoNodes(t)
  const [ann] = await createUsers(one.db, one.campaign.id, 1)
  // Signed by someone else, so that only a contract can accept it.
  const signed = await sign(one, ann, newOwner(), newOwner())
  const acceptingContract: typeof chainWithoutContracts = async () => {
    await deleteAccount(two, { userId: ann.id, by: ann.id })
    const [code, yesOfErc1271] = ['0x60', `0x1626ba7e${'0'.repeat(56)}`]
    return [{ result: code }, { result: yesOfErc1271 }]
  }
  await assert.rejects(finishProvingWallet(one, acceptingContract, signed), { code: 'unauthenticated' })
  assert.deepEqual(await one.db.selectFrom('proven_wallets').selectAll().execute(), [])
  assert.deepEqual(await one.db.selectFrom('journal_details').selectAll().execute(), [])
})
