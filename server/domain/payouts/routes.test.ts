import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import * as allocation from '#contract/allocation.ts'
import * as contract from '#contract/dashboard/payouts.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { claimsOn, frozen, PAID, payoutApi, payoutCampaign } from '#server/testing/builders/payouts.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { assertInvalid, refusalOf } from '#server/testing/checks/refusals.ts'
import { until } from '#server/testing/until.ts'
import { errorMessages } from '#server/messages/errors.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { untilWaiting } from '#server/testing/races.ts'
import { download, exportTo } from './export.ts'
import { filesBelow } from './pack/testing/allocation.ts'
import { excludeRuns, runAlone } from './runs.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { thaw } from './thaw.ts'

type Api = Awaited<ReturnType<typeof payoutApi>>

const stateOf = async (api: Api) => {
  const { status, body } = await api.call(contract.payout, { token: api.adm.token })
  assert.equal(status, 200, JSON.stringify(body))
  return body.data as contract.Payout
}

/** The state after the run, which may outlive the call on a busy machine. */
async function settled(api: Api) {
  await until('the run has ended', async () => (await stateOf(api)).run?.state !== 'running')
  return stateOf(api)
}

test('an administrator sees what would be paid, freezes it, and undoes the freeze with a reason', async (t) => {
  const api = await payoutApi(t)
  const { call, adm, claim, approved } = api
  const [first, second] = [await approved(), await approved()]
  await claim()
  const { plan, frozen: freezeBefore, rates } = await stateOf(api)
  assert.deepEqual([freezeBefore, rates], [null, api.deps.campaign.payout])
  assert.deepEqual(plan, {
    approved: 2,
    undecided: 1,
    points: { pf: 40_000, pls: 40_000, referral: 0 },
    amounts: { pf: String(2n * PAID.pf), pls: String(2n * PAID.pls) },
    contracts: 0,
    sharing: 0,
  })
  const post = (endpoint: typeof contract.freezePayout | typeof contract.thawPayout, body: object) =>
    call(endpoint, { token: adm.token, body })
  await post(contract.freezePayout, {})
  const { run } = await settled(api)
  const message = errorMessages.messages.claims_undecided
  assert.partialDeepStrictEqual(run, { task: 'freeze', state: 'failed', message })

  const begun = await post(contract.freezePayout, { undecided: 1 })
  assert.equal(begun.status, 200, JSON.stringify(begun.body))
  const state = await settled(api)
  assert.deepEqual([state.plan, state.run?.state], [null, 'done'])
  assert.partialDeepStrictEqual(state.frozen, {
    recipients: 2,
    totals: { pf: String(2n * PAID.pf), pls: String(2n * PAID.pls) },
    frozenBy: adm.username,
    undecided: 1,
    reconciled: null,
  })
  const pageAfter = async (query: { after?: number }) =>
    (await call(contract.payoutRows, { token: adm.token, query: { limit: 1, ...query } })).body
  const firstPage = await pageAfter({})
  const lastPage = await pageAfter({ after: firstPage['next'] as number })
  assert.equal(lastPage['next'], null)
  const rows = [firstPage, lastPage].flatMap(({ data }) => data as contract.PayoutEntry[])
  assert.deepEqual(new Set(rows.map((row) => row.wallet)), new Set([first.wallet, second.wallet]))
  for (const { status } of rows) assert.deepEqual(status, { pf: 'missing', pls: 'unreadable' })

  await assertInvalid(
    (body: object) => post(contract.thawPayout, body),
    [[{ reason: ' ' }, { reason: 'required' }]],
  )
  assert.equal((await post(contract.thawPayout, { reason: 'Rates were wrong.' })).status, 200)
  const after = await stateOf(api)
  assert.equal(after.frozen, null)
  const thawed = after.thawed.map(({ reason, root }) => [reason, root])
  assert.deepEqual(thawed, [['Rates were wrong.', state.frozen?.root]])
})

test('anyone gets a wallet’s amounts with a proof that OpenZeppelin accepts; the wallet may be in upper or lower case, but a wrong checksum is refused', async (t) => {
  const api = await payoutApi(t)
  const { call, approved, deps } = api
  const people = []
  for (let count = 0; count < 5; count += 1) people.push(await approved())
  const summary = async () =>
    (await call(allocation.allocationSummary)).body.data as allocation.AllocationSummary | null
  assert.equal(await summary(), null)
  const ask = (wallet: string) => call(allocation.allocation, { params: { wallet } })
  assert.equal((await ask(people[0]?.wallet ?? '')).status, 404)

  const { root } = await frozen(deps)
  const published = await summary()
  assert.deepEqual([published?.root, published?.recipients, published?.chainId], [root, 5, 369])
  assert.deepEqual(Object.keys(published?.token ?? {}), ['symbol', 'decimals', 'contract'])
  for (const { wallet } of people) {
    const { status, body } = await ask(wallet)
    assert.equal(status, 200)
    const found = body.data as allocation.Allocation
    assert.deepEqual([found.wallet, found.root], [wallet, root])
    const value = [wallet, found.amounts.pf, found.amounts.pls]
    assert.ok(StandardMerkleTree.verify(root, [...allocation.LEAF_ENCODING], value, found.proof))
    const tree = StandardMerkleTree.of([value], [...allocation.LEAF_ENCODING])
    assert.equal(found.leaf, tree.leafHash(value))
  }
  const { wallet } = people[0] ?? assert.fail()
  for (const spelling of [wallet.toLowerCase(), `0x${wallet.slice(2).toUpperCase()}`, `0X${wallet.slice(2)}`])
    assert.partialDeepStrictEqual((await ask(spelling)).body.data, { wallet }, spelling)
  const flipped = [...wallet]
    .map((letter) => (/[a-f]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase()))
    .join('')
  await assertInvalid(ask, [[`0x${flipped.slice(2)}`, { wallet: 'wallet_checksum' }]])
  for (const wrong of ['0x12', 'vitalik.eth', '%00', '0x' + 'g'.repeat(40)])
    assert.deepEqual(refusalOf(await ask(wrong)), [400, 'invalid_input'], wrong)
  assert.deepEqual(refusalOf(await ask(`0x${'12'.repeat(20)}`)), [404, 'allocation_not_found'])
})

test('the download is the pack that the command writes, without names, emails and handles of participants; it is journaled, and HEAD is not', async (t) => {
  const { app, call, approved, adm, deps, db, reviewer } = await payoutApi(t)
  await approved()
  const [person] = await createUsers(db, deps.campaign.id, 1, {
    username: () => '-2-HYPERLINK-A1',
    email: () => 'formula@mail.example',
  })
  const proof = freshProof()
  await reviewer.approve((await submitProof(deps, person.id, proof))._id)
  const get = (method: 'GET' | 'HEAD') =>
    app.inject({
      method,
      url: '/api/v1/payout/pack',
      headers: { host: 'localhost:3000', authorization: `Bearer ${adm.token}` },
    })
  assert.equal((await call(contract.payoutPack, { token: adm.token })).body.code, 'payout_not_frozen')
  await frozen(deps)
  assert.equal((await get('HEAD')).statusCode, 200)
  const exports = () =>
    db.selectFrom('journal').select('actor').where('action', '=', 'payout.exported').execute()
  assert.deepEqual(await exports(), [])
  const { statusCode, headers, rawPayload } = await get('GET')
  assert.deepEqual([statusCode, headers['content-type']], [200, 'application/zip'])
  assert.equal(headers['content-disposition'], 'attachment; filename="payout.zip"')
  assert.deepEqual(await exports(), [{ actor: adm.id }])
  const files = unzipSync(rawPayload)
  const target = path.join(await scratchFolder(t), 'pack')
  await exportTo(deps, target, { actor: null })
  const written = await filesBelow(target)
  assert.deepEqual(Object.keys(files).toSorted(), written.toSorted())
  for (const name of written) {
    const content = await readFile(path.join(target, name))
    assert.deepEqual(Buffer.from(files[name] ?? []), content, name)
    for (const secret of ['HYPERLINK', person.email, proof.telegram.slice(1), proof.twitter.slice(1)])
      assert.ok(!content.includes(secret), `${name} has ${secret}`)
  }
})

test('a download that is cut off frees the payout for the next one', async (t) => {
  const api = await payoutApi(t)
  const { approved, deps } = api
  await approved()
  await frozen(deps)
  const stream = await download(deps, { actor: null })
  stream.destroy()
  await once(stream, 'close').catch(() => {})
  // The run ends a moment after its stream.
  assert.equal((await settled(api)).run?.state, 'failed')
  const again = await download(deps, { actor: null })
  for await (const _piece of again);
  assert.ok(again.readableEnded)
})

test('a freeze is not undone during a run, and an export that begins during an undo writes no pack', async (t) => {
  const api = await payoutApi(t)
  const { approved, deps } = api
  await approved()
  await frozen(deps)
  const undo = () => thaw(deps, { actor: null, reason: 'Too early.' })
  await runAlone(deps, { task: 'export', actor: null }, () => assert.rejects(undo(), { code: 'payout_busy' }))

  const target = path.join(await scratchFolder(t), 'pack')
  let refused: Promise<void> | undefined
  await inTransaction(deps.db, async (tx) => {
    await excludeRuns(tx, deps.campaign.id)
    refused = assert.rejects(exportTo(deps, target, { actor: null }), { code: 'payout_not_frozen' })
    // The export has seen the freeze, and waits to begin.
    await untilWaiting(deps.db, 1)
    await tx
      .insertInto('payout_thaws')
      .values({ campaign_id: deps.campaign.id, number: 1, reason: 'Too early.' })
      .execute()
  })
  await refused
  await assert.rejects(readdir(target), { code: 'ENOENT' })
})

test('participants see what a freeze pays them; the only wallet of an allocation has an empty proof', async (t) => {
  const { call, approved, deps } = await payoutApi(t, payoutCampaign())
  const { token, wallet } = await approved()
  assert.equal((await call(allocation.ownPayout, { token })).body.data, null)
  const { root } = await frozen(deps)
  const found = (await call(allocation.allocation, { params: { wallet } })).body.data as allocation.Allocation
  assert.deepEqual([found.leaf, found.proof], [root, []])
  const { body } = await call(allocation.ownPayout, { token })
  assert.deepEqual(body.data, {
    wallet,
    amounts: { pf: String(PAID.pf), pls: String(PAID.pls) },
    status: { pf: 'missing', pls: 'unreadable' },
    isRead: false,
    token: { symbol: deps.campaign.token.symbol, decimals: 18 },
    coin: { symbol: 'PLS', decimals: 18 },
    payments: [],
  })
})

test('the payout of an archived campaign is frozen and thawed without touching that of the current one', async (t) => {
  const api = await payoutApi(t)
  const { call, adm, approved, db } = api
  const spring = { ...payoutCampaign(), id: 'spring', name: 'The spring campaign' }
  await syncCampaign(db, spring)
  const { wallet, username } = await claimsOn({ ...api.deps, campaign: spring }, adm).approved()
  await approved()
  const query = { campaign: spring.id }
  const stateAt = async (of: { campaign?: string }) =>
    (await call(contract.payout, { token: adm.token, query: of })).body.data as contract.Payout
  const asked = await call(contract.payout, { token: adm.token, query })
  assert.deepEqual(refusalOf(asked), [404, 'campaign_not_found'])

  await sql`update campaigns set archived_at = now() where id = ${spring.id}`.execute(db)
  const { campaign, plan } = await stateAt(query)
  assert.deepEqual([campaign, plan?.approved], [{ id: 'spring', isCurrent: false }, 1])
  await call(contract.freezePayout, { token: adm.token, query, body: {} })
  await until('the freeze has ended', async () => (await stateAt(query)).frozen !== null)
  const rows = await call(contract.payoutRows, { token: adm.token, query })
  const wallets = (rows.body.data as contract.PayoutEntry[]).map((row) => [row.wallet, row.usernames])
  assert.deepEqual(wallets, [[wallet, [username]]])
  assert.equal((await stateAt({})).frozen, null)
  await call(contract.thawPayout, { token: adm.token, query, body: { reason: 'Later.' } })
  const { frozen: live, thawed } = await stateAt(query)
  assert.deepEqual([live, thawed.length], [null, 1])
  assert.deepEqual((await stateAt({})).thawed, [])
})
