import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { HOLD_THRESHOLD } from '#contract/claims/signals.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { claimant, markRejected, scoredClaimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { runClaimChecks } from '#server/testing/builders/evidence.ts'
import { testNode } from '#server/testing/deps.ts'
import { advanceTime } from '#server/testing/advance-time.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { ROUNDS, twoNodes } from '#server/testing/database/races.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { recordNetworkVisit } from './network.ts'
import { savePostText } from './post-text.ts'
import { readCluster, readSignals } from './read-signals.ts'
import { SCORE_JOB, scoreClaim, scoreDueClaim } from './score-claim.ts'
import { BUSY_NETWORK_WEIGHT, MAX_ACCOUNTS_READ, MIN_STAR_CLAIMS } from './weights.ts'

/** Long enough to be compared. */
const TEXT = 'This is the one token of my pocket that I will hold until the very end of the year'
const OTHER_TEXT = 'I bought some this morning because my neighbor would not stop talking'
/** Addresses with the same first three numbers are of one network. */
const CAFE = '203.0.113.7'

async function setUp(t: TestContext) {
  const { deps, pool } = await testNode(t)
  return { deps, advance: (time: string) => advanceTime(pool, time) }
}

type Claim = { claimId: string }

const kindsOf = async (deps: Deps, { claimId }: Claim) =>
  (await readSignals(deps.db, claimId)).map(({ kind }) => kind)

const riskOf = async (deps: Deps, { claimId }: Claim) =>
  (await readSignals(deps.db, claimId)).reduce((sum, { weight }) => sum + weight, 0)

const storedClaim = ({ db }: Deps, { claimId }: Claim) =>
  db
    .selectFrom('claims')
    .select(['status', 'risk', 'held_for'])
    .where('id', '=', claimId)
    .executeTakeFirstOrThrow()

const clusterSizeOf = async (deps: Deps, { claimId }: Claim) =>
  (await readCluster(deps.db, claimId))?.size ?? 0

async function changePost({ db }: Deps, { claimId }: Claim, text: string): Promise<void> {
  await inTransaction(db, (tx) => savePostText(tx, claimId, text))
  await scoreClaim(db, claimId)
}

async function checkAndScore(deps: Deps): Promise<void> {
  await runClaimChecks(deps)
  await runDue(deps.db, SCORE_JOB, (job) => scoreDueClaim(deps, job))
}

test('holds a claim whose risk reaches the threshold when it has been checked and scored', async (t) => {
  const { deps } = await setUp(t)
  const ann = await claimant(deps, { email: 'ann@mail.example' })
  const twin = await scoredClaimant(deps, { email: 'ann+2@mail.example', joinedMinutesAgo: 1 })
  const quick = await claimant(deps, { joinedMinutesAgo: 1 })
  assert.equal((await storedClaim(deps, twin)).status, 'submitted')
  await checkAndScore(deps)
  // The variant of an email weighs 60, and a quick proof 15.
  assert.deepEqual(await storedClaim(deps, ann), {
    status: 'held',
    risk: 60,
    held_for: ['The email address is a variant of the one used by another account.'],
  })
  const { held_for: reasons, ...claim } = await storedClaim(deps, twin)
  assert.deepEqual(claim, { status: 'held', risk: 75 })
  assert.equal(reasons?.length, 2)
  assert.match(reasons[1] ?? '', /^The proof was submitted only [0-9]+ seconds? after/)
  assert.deepEqual(await storedClaim(deps, quick), { status: 'under_review', risk: 15, held_for: null })
})

test('a later claim raises the risk of an approved claim to which it links, but does not hold it', async (t) => {
  const { deps } = await setUp(t)
  const ann = await scoredClaimant(deps, { email: 'ann@mail.example' })
  await checkAndScore(deps)
  await deps.db.updateTable('claims').set({ status: 'approved', decided_at: NOW }).execute()
  await claimant(deps, { email: 'ann+2@mail.example' })
  await checkAndScore(deps)
  assert.deepEqual(await storedClaim(deps, ann), { status: 'approved', risk: 60, held_for: null })
})

test('race: holds both claims when variants of one email claim on two nodes at once', async (t) => {
  const nodes = await twoNodes(t)
  for (let round = 0; round < ROUNDS; round += 1) {
    const twins = await Promise.all(
      nodes.map((node, index) => claimant(node, { email: `r${round}+${index}@mail.example` })),
    )
    await Promise.all(nodes.map(checkAndScore))
    for (const twin of twins)
      assert.equal((await storedClaim(nodes[0], twin)).status, 'held', `round ${round}`)
  }
})

test('two spellings of an email link their accounts', async (t) => {
  const { deps } = await setUp(t)
  const ann = await scoredClaimant(deps, { email: 'ann.smith@gmail.com' })
  const twin = await scoredClaimant(deps, { email: 'annsmith+air@googlemail.com' })
  for (const claim of [ann, twin]) assert.deepEqual(await kindsOf(deps, claim), ['email-alias'])
  const cluster = await readCluster(deps.db, twin.claimId)
  assert.equal(cluster?.id, ann.id)
  const members = cluster.members.map(({ claimId, status }) => `${claimId} ${status}`)
  assert.deepEqual(members, [`${ann.claimId} submitted`, `${twin.claimId} submitted`])
  assert.deepEqual(cluster.reasons, [
    { kind: 'email-alias', accounts: 2, reason: 'Their email addresses are variants of the same one.' },
  ])
})

test('accounts without a claim and namesakes at another host are no signal', async (t) => {
  const { deps } = await setUp(t)
  const ann = await scoredClaimant(deps, { email: 'ann.smith@gmail.com' })
  const [unclaimed] = await createUsers(deps.db, deps.campaign.id, 1, {
    email: () => 'annsmith+1@mail.example',
  })
  const visit = { userId: unclaimed.id, event: 'sign-up', network: CAFE } as const
  await inTransaction(deps.db, (tx) => recordNetworkVisit(tx, deps, visit))
  const namesake = await scoredClaimant(deps, {
    email: 'annsmith@mail.example',
    network: CAFE,
    text: TEXT,
    joinedMinutesAgo: 2, // No quick proof any more.
  })
  for (const claim of [ann, namesake]) assert.deepEqual(await kindsOf(deps, claim), [])
  assert.equal(await readCluster(deps.db, namesake.claimId), null)
})

test('a disposable email is a signal that does not suffice to hold the claim', async (t) => {
  const { deps } = await setUp(t)
  const bea = await scoredClaimant(deps, { email: 'bea@inbox.mailinator.com' })
  const [disposable, ...others] = await readSignals(deps.db, bea.claimId)
  assert.equal(disposable?.kind, 'disposable-email')
  assert.match(disposable.reason, /mailinator\.com.*2026-09-21/)
  assert.deepEqual(others, [])
  assert.ok((await riskOf(deps, bea)) < HOLD_THRESHOLD)
})

test('holds quick claims with one network and one referrer only if their posts are the same, too', async (t) => {
  const { deps } = await setUp(t)
  const quick = { network: CAFE, joinedMinutesAgo: 1 }
  const host = await claimant(deps, quick)
  const claims: Claim[] = [host]
  for (let guest = 1; guest <= MIN_STAR_CLAIMS; guest += 1)
    claims.push(await claimant(deps, { ...quick, referredBy: host.id }))
  // Scoring the last claim also scores those to which its signals link.
  const last = await scoredClaimant(deps, { ...quick, referredBy: host.id })
  claims.push(last)
  for (const claim of claims) assert.ok((await riskOf(deps, claim)) < HOLD_THRESHOLD)
  const kindsOfHost = ['shared-network', 'referral-ring', 'quick-proof']
  assert.deepEqual(await kindsOf(deps, host), kindsOfHost)
  assert.deepEqual(await kindsOf(deps, last), [...kindsOfHost, 'referral-star'])
  assert.equal(await clusterSizeOf(deps, host), claims.length)

  const author = await claimant(deps, { ...quick, text: TEXT })
  const copier = await scoredClaimant(deps, { ...quick, text: TEXT })
  for (const claim of [author, copier]) assert.ok((await riskOf(deps, claim)) >= HOLD_THRESHOLD)
})

test('a network is shared only by claims within an hour', async (t) => {
  const { deps, advance } = await setUp(t)
  const ann = await scoredClaimant(deps, { network: CAFE })
  await advance('61 minutes')
  const bea = await scoredClaimant(deps, { network: '203.0.113.99' })
  for (const claim of [ann, bea]) assert.deepEqual(await kindsOf(deps, claim), [])
  const cy = await scoredClaimant(deps, { network: '203.0.113.1' })
  for (const claim of [bea, cy]) assert.deepEqual(await kindsOf(deps, claim), ['shared-network'])
  assert.deepEqual(await kindsOf(deps, await scoredClaimant(deps, { network: '203.0.114.1' })), [])
})

test('a busy network weighs less and links no accounts', async (t) => {
  const { deps } = await setUp(t)
  const first = await claimant(deps, { network: CAFE })
  const second = await scoredClaimant(deps, { network: CAFE })
  assert.equal(await clusterSizeOf(deps, first), 2, 'linked while the network was not busy yet')
  const others = await createUsers(deps.db, deps.campaign.id, MAX_ACCOUNTS_READ - 2)
  for (const { id } of others) await submitProof(deps, id, freshProof(), CAFE)
  const last = await scoredClaimant(deps, { network: CAFE })
  assert.equal(await riskOf(deps, last), BUSY_NETWORK_WEIGHT)
  const [signal] = await readSignals(deps.db, last.claimId)
  assert.match(signal?.reason ?? '', /more than 20 other accounts.*Many people/)
  await scoreClaim(deps.db, second.claimId)
  for (const claim of [first, second, last]) assert.equal(await clusterSizeOf(deps, claim), 0)
})

test('finds near-duplicate posts, ignoring the hashtags of the task', async (t) => {
  const { deps } = await setUp(t)
  const ann = await scoredClaimant(deps, { text: `${TEXT} #PocketFuture` })
  const bea = await scoredClaimant(deps, { text: `${TEXT.replace('token', 'coin')}!!! #PulseChain` })
  const cy = await scoredClaimant(deps, { text: '#PocketFuture #PulseChain' })
  const di = await scoredClaimant(deps, { text: '#PocketFuture #PulseChain' })
  for (const claim of [ann, bea]) assert.deepEqual(await kindsOf(deps, claim), ['same-text'])
  for (const claim of [cy, di]) assert.deepEqual(await kindsOf(deps, claim), [])
})

test('finds the wallet, handle or post of a rejected claim that another account uses again', async (t) => {
  const { deps } = await setUp(t)
  const [proof, handleReuse, linkReuse] = [freshProof(), freshProof(), freshProof()]
  const ann = await scoredClaimant(deps, { proof })
  // Two days ago, so that others may use its proof.
  await markRejected(deps.db, ann.claimId, { ago: '2 days' })
  /** The link to a proof's post, with another handle. */
  const linkOf = ({ retweetLink, twitter }: typeof proof, handle: string) =>
    retweetLink.replace(twitter.slice(1), handle.slice(1))
  for (const reused of [
    { wallet: `0x${proof.wallet.slice(2).toUpperCase()}` },
    { telegram: proof.telegram.toUpperCase() },
    { twitter: proof.twitter.toUpperCase(), retweetLink: linkOf(handleReuse, proof.twitter) },
    { twitter: linkReuse.twitter, retweetLink: linkOf(proof, linkReuse.twitter) },
  ])
    assert.deepEqual(await kindsOf(deps, await scoredClaimant(deps, { proof: reused })), ['reused-proof'])
  assert.equal(await clusterSizeOf(deps, ann), 5)
})

test('finds a referral star if many people with one inviter claim within an hour', async (t) => {
  const { deps, advance } = await setUp(t)
  const ann = await scoredClaimant(deps)
  for (let others = 1; others < MIN_STAR_CLAIMS; others += 1) await claimant(deps, { referredBy: ann.id })
  assert.deepEqual(await kindsOf(deps, await scoredClaimant(deps, { referredBy: ann.id })), [])
  assert.deepEqual(await kindsOf(deps, await scoredClaimant(deps, { referredBy: ann.id })), ['referral-star'])
  assert.equal(await clusterSizeOf(deps, ann), 0, 'an invitation alone links no accounts')
  await advance('2 hours')
  assert.deepEqual(await kindsOf(deps, await scoredClaimant(deps, { referredBy: ann.id })), [])
})

test('links merge clusters, and a correction splits them and ends the signal on both claims', async (t) => {
  const { deps } = await setUp(t)
  const ann = await scoredClaimant(deps, { email: 'ann@mail.example', text: TEXT })
  const annTwin = await scoredClaimant(deps, { email: 'ann+1@mail.example' })
  const bea = await scoredClaimant(deps, { email: 'bea@mail.example' })
  const beaTwin = await scoredClaimant(deps, { email: 'bea+1@mail.example' })
  const assertCluster = async (claims: Claim[], id: string, size: number) => {
    for (const { claimId } of claims)
      assert.partialDeepStrictEqual(await readCluster(deps.db, claimId), { id, size })
  }
  const assertTwoClusters = async () => {
    await assertCluster([ann, annTwin], ann.id, 2)
    await assertCluster([bea, beaTwin], bea.id, 2)
    for (const claim of [ann, beaTwin]) assert.deepEqual(await kindsOf(deps, claim), ['email-alias'])
  }
  await assertTwoClusters()
  await changePost(deps, beaTwin, TEXT)
  assert.deepEqual(await kindsOf(deps, ann), ['email-alias', 'same-text'])
  await assertCluster([ann, annTwin, bea, beaTwin], ann.id, 4)
  await changePost(deps, beaTwin, OTHER_TEXT)
  await assertTwoClusters()
})
