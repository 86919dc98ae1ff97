import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { ban } from '../accounts/bans/ban.ts'
import { liftBan } from '../accounts/bans/unban.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { frozen, NO_DRIFT, payoutDeps } from '#server/testing/builders/payouts.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { readAllocationSite } from '#server/site/allocation-site.ts'
import { countDrift, readDrift } from './drift.ts'
import { exportSiteTo, exportTo } from './export.ts'
import { filesBelow } from './pack/testing/allocation.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { createSummaryReader } from './read-allocation.ts'

/** A freeze. `change` undoes an approval, and so the inviter's reward, and approves another claim. */
async function frozenWithChange(t: TestContext) {
  const payouts = await payoutDeps(t)
  const { deps, approved, reviewer } = payouts
  const inviter = await approved()
  const undone = await approved({ referredBy: inviter.id })
  const kept = await approved()
  const live = await frozen(deps)
  const change = async () => {
    await reviewer.undo(undone.claimId)
    return approved()
  }
  const parent = await scratchFolder(t)
  return { ...payouts, live, kept, inviter, undone, change, folder: path.join(parent, 'written') }
}

const CHANGED = { ...NO_DRIFT, undone: 1, changed: 1, added: 1 }

test('the README of a pack names the wallets of participants that have drifted since the freeze, and no others; the lists stay as frozen', async (t) => {
  const { deps, kept, inviter, undone, change, folder } = await frozenWithChange(t)
  const before = path.join(folder, 'before')
  await exportTo(deps, before, { actor: null })
  assert.doesNotMatch(await readFile(path.join(before, 'README.md'), 'utf8'), /Changed since/)
  const added = await change()
  const after = path.join(folder, 'after')
  await exportTo(deps, after, { actor: null })
  const readme = await readFile(path.join(after, 'README.md'), 'utf8')
  const drifted = '3 participants: 1 no longer approved, 1 with other points, 1 approved later. '
  assert.ok(readme.includes(`differed for ${drifted}`), readme)
  const lines = [
    `- ${undone.wallet}: the approval was undone after the freeze, but it is in the pack`,
    `- ${inviter.wallet}: the points have changed since the freeze; the pack has the frozen ones`,
    `- ${added.wallet}: approved after the freeze, not in the pack`,
  ]
  for (const line of lines) assert.ok(readme.split('\n').includes(line), line)
  assert.ok(!readme.includes(kept.wallet))
  const listIn = (pack: string) => readFile(path.join(pack, 'pf/recipients.csv'), 'utf8')
  assert.equal(await listIn(after), await listIn(before))
})

test('the public summary, renewed once a minute, and the static site count the participants that have drifted since the freeze, without naming them', async (t) => {
  const { deps, live, inviter, undone, change, folder } = await frozenWithChange(t)
  let clock = 0
  const readSummary = createSummaryReader(deps, () => clock)
  assert.deepEqual((await readSummary())?.drift, NO_DRIFT)
  const added = await change()
  clock = 59_999
  assert.deepEqual((await readSummary())?.drift, NO_DRIFT)
  clock = 60_000
  const summary = await readSummary()
  assert.ok(summary)
  assert.deepEqual(summary.drift, CHANGED)
  const fields = Object.keys(summary).toSorted().join()
  assert.equal(fields, 'chainId,coin,drift,frozenAt,recipients,root,token,totals')
  assert.equal(summary.root, live.root)

  const site = { folder, page: await readAllocationSite(deps.campaign.name, summary) }
  await exportSiteTo(deps, site, { actor: null })
  const read = (file: string) => readFile(path.join(folder, file), 'utf8')
  const readme = await read('pack/README.md')
  assert.match(readme, /differed for 3 participants: 1 no longer approved/)
  for (const { wallet } of [inviter, undone, added]) assert.ok(!readme.includes(wallet), wallet)
  // The wallets of the others are in the lists, as frozen.
  for (const file of await filesBelow(folder))
    assert.ok(!(await read(file)).toLowerCase().includes(added.wallet.toLowerCase().slice(2)), file)
  const page = await read('index.html')
  const shown = /data-summary="([^"]+)"/.exec(page)?.[1] ?? ''
  assert.deepEqual(JSON.parse(shown.replaceAll('&quot;', '"')).drift, CHANGED)
  assert.match(page, /data-fact="drift"[^>]*>3</)
})

test('a ban made or lifted after the freeze is drift; a ban that is older than the freeze, or was made after it and lifted again, is not', async (t) => {
  const { deps, approved, adm } = await payoutDeps(t)
  const by = { userId: adm.id }
  const banOf = (person: { id: string }, revokesApproval = false) =>
    ban(deps, { userId: person.id, reason: 'A test.', revokesApproval, by })
  await approved()
  const [banned, revoked] = [await approved(), await approved()]
  const [bannedBefore, lifted] = [await approved(), await approved()]
  await banOf(bannedBefore)
  await banOf(lifted)
  const live = await frozen(deps)
  const { id } = deps.campaign
  assert.deepEqual(await countDrift(deps.db, live), NO_DRIFT)

  await banOf(banned)
  await banOf(revoked, true)
  await liftBan(deps, { userId: lifted.id, by })
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, banned: 2, unbanned: 1 })
  const named = await readDrift(deps.db, live)
  const drifts = new Map(named.map(({ wallet, drift }) => [wallet?.toLowerCase(), drift]))
  assert.deepEqual(
    drifts,
    new Map([
      [banned.wallet.toLowerCase(), 'banned'],
      [revoked.wallet.toLowerCase(), 'banned'],
      [lifted.wallet.toLowerCase(), 'unbanned'],
    ]),
  )
  await liftBan(deps, { userId: banned.id, by })
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, banned: 1, unbanned: 1 })
})

test('an account that is deleted after the freeze is no drift, whether the freeze pays it, leaves it out for a ban, or is older than its approval', async (t) => {
  const { deps, approved, adm } = await payoutDeps(t)
  const by = { userId: adm.id }
  const [paid, banned] = [await approved(), await approved()]
  await ban(deps, { userId: banned.id, reason: 'A test.', revokesApproval: false, by })
  const live = await frozen(deps)
  const later = await approved()
  const drift = () => countDrift(deps.db, live)
  assert.deepEqual(await drift(), { ...NO_DRIFT, added: 1 })
  for (const { id } of [paid, banned, later]) await deleteAccount(deps, { userId: id, by: adm.id })
  assert.deepEqual(await drift(), NO_DRIFT)
  assert.deepEqual(await readDrift(deps.db, live), [])
})

test('an approval that was undone and replaced by that of a corrected claim is drift only if the corrected claim has another wallet', async (t) => {
  const { deps, approved, reviewer } = await payoutDeps(t)
  const [moved, corrected] = [await approved(), await approved()]
  const live = await frozen(deps)
  const replace = async ({ id, claimId }: typeof moved, proof: object) => {
    await reviewer.undo(claimId)
    await reviewer.reject(claimId)
    const { _id } = await submitProof(deps, id, { ...freshProof(), ...proof })
    await reviewer.approve(_id)
  }
  await replace(moved, {})
  await replace(corrected, { wallet: corrected.wallet })
  const { id } = deps.campaign
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, undone: 1 })
  const [entry, ...others] = await readDrift(deps.db, live)
  assert.deepEqual([entry?.wallet, entry?.drift, others], [moved.wallet, 'undone', []])
  await deleteAccount(deps, { userId: corrected.id, by: null })
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, undone: 1 })
})
