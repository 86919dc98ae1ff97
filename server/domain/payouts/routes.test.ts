import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import * as allocation from '#contract/allocation.ts'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import * as contract from '#contract/dashboard/payouts.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { claimsOn, freezeNow, PAID, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { until } from '#server/testing/until.ts'
import { errorMessages } from '#server/messages/errors.ts'

type Query = Record<string, string | number>

/** An administrator's calls, by default about the current campaign's payout. */
async function setUp(t: TestContext, rpc?: Rpc) {
  const api = await payoutApi(t, payoutCampaign(), rpc)
  const send = (endpoint: Endpoint, input: { query?: Query; body?: object } = {}) =>
    api.call(endpoint, { token: api.adm.token, ...input })
  const read = async (query: Query = {}) => {
    const { status, body } = await send(contract.payout, { query })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data as contract.Payout
  }
  /** Waits for the end of the run, which may outlive the call on a busy machine. */
  const readAfterRun = async (query: Query = {}) => {
    await until('the run has ended', async () => (await read(query)).run?.state !== 'running')
    return read(query)
  }
  /** Reads a whole list, in pages of one entry. */
  const readPages = async <Entry>(endpoint: Endpoint) => {
    const entries: Entry[] = []
    for (let query: Query | undefined = { limit: 1 }; query;) {
      const { body } = await send(endpoint, { query })
      const [entry, ...others] = body.data as [Entry, ...Entry[]]
      assert.deepEqual(others, [])
      entries.push(entry)
      query = body['next'] === null ? undefined : { limit: 1, after: body['next'] as number }
    }
    return entries
  }
  return { ...api, send, read, readAfterRun, readPages }
}

test('an administrator sees what a freeze would pay, why it was refused, and what it has frozen', async (t) => {
  const { adm, deps, claim, approveNewClaim, send, read, readAfterRun } = await setUp(t)
  await approveNewClaim()
  await approveNewClaim()
  await claim()
  const { pfPoints, plsPoints } = grantedPoints(deps.campaign.airdrop)
  const totals = { pf: String(2n * PAID.pf), pls: String(2n * PAID.pls) }
  const before = await read()
  assert.equal(before.frozen, null)
  assert.deepEqual(before.rates, deps.campaign.payout)
  assert.deepEqual(before.plan, {
    approved: 2,
    undecided: 1,
    points: { pf: 2 * pfPoints, pls: 2 * plsPoints, referral: 0 },
    amounts: totals,
    contracts: 0,
    sharing: 0,
  })

  await send(contract.freezePayout, { body: {} })
  const refused = (await readAfterRun()).run
  const message = errorMessages.messages.claims_undecided
  assert.partialDeepStrictEqual(refused, { task: 'freeze', state: 'failed', message })

  const begun = await send(contract.freezePayout, { body: { undecided: 1 } })
  assert.equal(begun.status, 200, JSON.stringify(begun.body))
  const { plan, run, frozen: live } = await readAfterRun()
  assert.equal(plan, null)
  assert.equal(run?.state, 'done')
  const expected = { recipients: 2, totals, frozenBy: adm.username, undecided: 1, reconciled: null }
  assert.partialDeepStrictEqual(live, expected)

  const again = await send(contract.freezePayout, { body: { undecided: 1 } })
  assert.equal((again.body as { code?: string }).code, 'payout_frozen')
  assert.equal((await readAfterRun()).run, null, 'a freeze that comes second is not shown as failed')
})

test('an administrator pages through frozen rows by wallet, and through what is left out, with usernames', async (t) => {
  const { deps, db, approveNewClaim, banPerson, reviewer, readPages } = await setUp(t)
  const [banned, unpayable] = [await approveNewClaim(), await approveNewClaim()]
  const paid = [await approveNewClaim(), await approveNewClaim(), await approveNewClaim()]
  await banPerson(banned)
  const token = { ...deps.campaign.token, contract: unpayable.wallet }
  await freezeNow({ db, campaign: { ...deps.campaign, token } })
  const rows = await readPages<contract.PayoutEntry>(contract.payoutRows)
  const status = { pf: 'missing', pls: 'unreadable' } // Payments in coins may leave no log.
  const expectedRows = paid
    .toSorted((one, other) => (one.wallet.toLowerCase() < other.wallet.toLowerCase() ? -1 : 1))
    .map(({ wallet, username }) => ({ wallet, usernames: [username], status }))
  assert.partialDeepStrictEqual(rows, expectedRows)
  assert.equal(rows.length, 3)

  const amounts = { pf: String(PAID.pf), pls: String(PAID.pls) }
  const expected = [
    { reason: 'unusable_wallet', wallet: unpayable.wallet, usernames: [unpayable.username], amounts },
    { reason: 'account_banned', wallet: null, usernames: [banned.username], amounts },
  ]
  const readLeftOut = () => readPages<contract.LeftOutEntry>(contract.payoutLeftOut)
  assert.deepEqual(await readLeftOut(), expected)
  await reviewer.undo(unpayable.claimId)
  await reviewer.reject(unpayable.claimId)
  assert.deepEqual(await readLeftOut(), expected, 'as frozen, although the claim has been rejected since')
})

test('a freeze shows participants what it pays them, and anyone its summary', async (t) => {
  const { call, approveNewClaim, deps } = await setUp(t)
  const { token, wallet } = await approveNewClaim()
  const readSummary = async () =>
    (await call(allocation.allocationSummary)).body.data as allocation.AllocationSummary | null
  const lookUp = () => call(allocation.allocation, { params: { wallet } })
  const readOwn = async () => (await call(allocation.ownPayout, { token })).body.data
  assert.equal(await readSummary(), null)
  assert.equal((await lookUp()).status, 404)
  assert.equal(await readOwn(), null)

  const { root } = await freezeNow(deps)
  const summary = await readSummary()
  assert.partialDeepStrictEqual(summary, { root, recipients: 1, chainId: 369 })
  assert.deepEqual(Object.keys(summary?.token ?? {}), ['symbol', 'decimals', 'contract'])
  const { leaf, proof } = (await lookUp()).body.data as allocation.Allotment
  assert.deepEqual([leaf, proof], [root, []], 'the only wallet of an allocation has an empty proof')
  assert.deepEqual(await readOwn(), {
    wallet,
    amounts: { pf: String(PAID.pf), pls: String(PAID.pls) },
    status: { pf: 'missing', pls: 'unreadable' },
    isRead: false,
    token: { symbol: deps.campaign.token.symbol, decimals: 18 },
    coin: { symbol: 'PLS', decimals: 18 },
    payments: [],
  })
})

test('anyone gets a wallet’s amounts with a proof that OpenZeppelin accepts', async (t) => {
  const { call, approveNewClaim, deps } = await setUp(t)
  const people = [await approveNewClaim(), await approveNewClaim(), await approveNewClaim()]
  const { root } = await freezeNow(deps)
  const encoding = [...allocation.LEAF_ENCODING]
  const lookUp = (typed: string) => call(allocation.allocation, { params: { wallet: typed } })
  for (const { wallet } of people) {
    const { status, body } = await lookUp(wallet)
    assert.equal(status, 200)
    const { amounts, leaf, proof, ...rest } = body.data as allocation.Allotment
    assert.deepEqual(rest, { wallet, root })
    const value = [wallet, amounts.pf, amounts.pls]
    assert.ok(StandardMerkleTree.verify(root, encoding, value, proof))
    assert.equal(leaf, StandardMerkleTree.of([value], encoding).leafHash(value))
  }

  await t.test('in upper or lower case, but not with a wrong checksum', async () => {
    const wallet = people[0]?.wallet ?? assert.fail()
    for (const typed of [wallet.toLowerCase(), `0x${wallet.slice(2).toUpperCase()}`, `0X${wallet.slice(2)}`])
      assert.partialDeepStrictEqual((await lookUp(typed)).body.data, { wallet }, typed)
    const flipped = Array.from(wallet.slice(2))
      .map((letter) => (/[a-f]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase()))
      .join('')
    await assertInvalid(lookUp, [[`0x${flipped}`, { wallet: 'wallet_checksum' }]])
    for (const wrong of ['0x12', 'vitalik.eth', '%00', `0x${'g'.repeat(40)}`])
      assert.deepEqual(refusalOf(await lookUp(wrong)), [400, 'invalid_input'], wrong)
    assert.deepEqual(refusalOf(await lookUp(`0x${'12'.repeat(20)}`)), [404, 'allocation_not_found'])
  })
})

test('a download is journaled, unlike a HEAD request, and has no names, emails or handles of participants', async (t) => {
  const { app, adm, send, reviewer, deps, db } = await setUp(t)
  const [person] = await createUsers(db, deps.campaign.id, 1, {
    username: () => 'secret-name',
    email: () => 'secret@mail.example',
  })
  const proof = freshProof()
  await reviewer.approve((await submitProof(deps, person.id, proof))._id)
  assert.equal((await send(contract.payoutPack)).body.code, 'payout_not_frozen')
  await freezeNow(deps)
  const authorization = `Bearer ${adm.token}`
  const requestPack = (method: 'GET' | 'HEAD') =>
    app.inject({ method, url: '/api/v1/payout/pack', headers: { host: 'localhost:3000', authorization } })
  const readExports = async () =>
    (await entriesOf(db, { action: 'payout.exported' })).map(({ actor }) => actor)
  assert.equal((await requestPack('HEAD')).statusCode, 200)
  assert.deepEqual(await readExports(), [])
  const { statusCode, headers, rawPayload } = await requestPack('GET')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'application/zip')
  assert.equal(headers['content-disposition'], 'attachment; filename="payout.zip"')
  assert.deepEqual(await readExports(), [adm.id])

  const secrets = [person.username, person.email, proof.telegram.slice(1), proof.twitter.slice(1)]
  const files = Object.entries(unzipSync(rawPayload))
  assert.ok(files.some(([name]) => name === 'allocation.json'))
  for (const [name, content] of files)
    for (const secret of secrets) assert.ok(!Buffer.from(content).includes(secret), `${name} has ${secret}`)
})

test('an archived campaign is frozen and thawed without touching the current one', async (t) => {
  const { adm, approveNewClaim, db, deps, send, read, readAfterRun } = await setUp(t)
  const spring = { ...deps.campaign, id: 'spring', name: 'The spring campaign' }
  await syncCampaign(db, spring)
  const { wallet, username } = await claimsOn({ ...deps, campaign: spring }, adm).approveNewClaim()
  await approveNewClaim()
  const query = { campaign: spring.id }
  assert.deepEqual(refusalOf(await send(contract.payout, { query })), [404, 'campaign_not_found'])

  await sql`update campaigns set archived_at = now() where id = ${spring.id}`.execute(db)
  const { campaign, plan } = await read(query)
  assert.deepEqual(campaign, { id: 'spring', isCurrent: false })
  assert.equal(plan?.approved, 1)

  await send(contract.freezePayout, { query, body: {} })
  const root = (await readAfterRun(query)).frozen?.root ?? assert.fail()
  assert.equal((await read()).frozen, null)
  const { body } = await send(contract.payoutRows, { query })
  const rows = (body.data as contract.PayoutEntry[]).map((row) => [row.wallet, row.usernames])
  assert.deepEqual(rows, [[wallet, [username]]])

  const undo = (input: object) => send(contract.thawPayout, { query, body: input })
  await assertInvalid(undo, [[{ reason: ' ' }, { reason: 'required' }]])
  // Besides undoing the freeze, a thaw forgets that the last run failed.
  await sql`update payout_runs set refusal = 'chain_unreadable'`.execute(db)
  assert.equal((await undo({ reason: 'Later.' })).status, 200)
  const { frozen: live, thawed, run } = await read(query)
  assert.deepEqual({ live, run }, { live: null, run: null })
  assert.equal(thawed.length, 1)
  assert.partialDeepStrictEqual(thawed, [{ reason: 'Later.', root }])
  assert.deepEqual((await read()).thawed, [])
})

test('payments of an archived campaign are read only from its own chain', async (t) => {
  let chainId = 369
  // A chain with 64 empty blocks after its first, which is thus confirmed.
  const node: Rpc = async (calls) => {
    const results: Record<string, unknown> = {
      eth_chainId: `0x${chainId.toString(16)}`,
      eth_blockNumber: '0x40',
      eth_getLogs: [],
      eth_getBlockByNumber: { number: '0x0', hash: `0x${'1'.repeat(64)}`, timestamp: '0x0' },
    }
    return calls.map(({ method }) => ({ result: results[method] }))
  }
  const { adm, db, deps, send } = await setUp(t, node)
  const spring = { ...deps.campaign, id: 'spring', chain: { ...deps.campaign.chain, id: 1 } }
  const inSpring = { ...deps, campaign: spring }
  await syncCampaign(db, spring)
  await claimsOn(inSpring, adm).approveNewClaim()
  await freezeNow(inSpring)
  await sql`update campaigns set archived_at = now() where id = ${spring.id}`.execute(db)

  const payer = `0x${'12'.repeat(20)}`
  const reconcile = () =>
    send(contract.reconcilePayout, { query: { campaign: spring.id }, body: { payer, fromBlock: 0 } })
  const readPayers = () => db.selectFrom('payout_scans').select('payer').execute()
  assert.equal((await reconcile()).body.code, 'chain_unreadable')
  assert.deepEqual(await readPayers(), [])
  chainId = spring.chain.id
  assert.equal((await reconcile()).status, 200)
  assert.deepEqual(await readPayers(), [{ payer }])
})
