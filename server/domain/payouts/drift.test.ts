import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { grantedPoints } from '#contract/claims/granted-points.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { freezeNow, NO_DRIFT, payoutDeps } from '#server/testing/builders/payouts.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { readAllocationSite } from '#server/site/built/built-assets.ts'
import { countDrift, readDrift } from './drift.ts'
import { exportSiteTo, exportTo } from './export.ts'
import { filesBelow } from './pack/testing/allocation.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { createSummaryReader, MAX_DRIFT_AGE_MS, summaryOf } from './read-allocation.ts'

test('after a freeze, an approval is undone and another claim is approved', async (t) => {
  const { deps, db, approveNewClaim, reviewer } = await payoutDeps(t)
  const inviter = await approveNewClaim()
  const undone = await approveNewClaim({ referredBy: inviter.id })
  const kept = await approveNewClaim()
  const live = await freezeNow(deps)
  const parent = await scratchFolder(t)
  const read = (file: string) => readFile(path.join(parent, file), 'utf8')
  let clock = 0
  const readSummary = createSummaryReader(deps, () => clock)
  assert.deepEqual((await readSummary())?.drift, NO_DRIFT)

  // The undo takes back the inviter's reward, too, and so changes the inviter's points.
  await reviewer.undo(undone.claimId)
  const added = await approveNewClaim()
  const counts = { ...NO_DRIFT, undone: 1, changed: 1, added: 1 }

  await t.test('the README of a pack names the wallets, while its lists stay as frozen', async () => {
    await exportTo(deps, path.join(parent, 'pack'), { actor: null })
    const readme = await read('pack/README.md')
    const drifted = '3 participants: 1 no longer approved, 1 with other points, 1 approved later. '
    assert.ok(readme.includes(`differed for ${drifted}`), readme)
    for (const line of [
      `- ${undone.wallet}: the approval was undone after the freeze, but it is in the pack`,
      `- ${inviter.wallet}: the points have changed since the freeze; the pack has the frozen ones`,
      `- ${added.wallet}: approved after the freeze, not in the pack`,
    ])
      assert.ok(readme.split('\n').includes(line), line)
    assert.ok(!readme.includes(kept.wallet))
    const [, ...rows] = (await read('pack/pf/recipients.csv')).trimEnd().split('\n')
    const listed = rows.map((row) => row.slice(0, row.indexOf(',')))
    const frozen = [inviter, undone, kept].map(({ wallet }) => wallet)
    assert.deepEqual(listed.toSorted(), frozen.toSorted())
  })

  await t.test('the public summary counts drift anew once a minute, and names no one', async () => {
    clock = MAX_DRIFT_AGE_MS - 1
    assert.deepEqual((await readSummary())?.drift, NO_DRIFT)
    clock = MAX_DRIFT_AGE_MS
    const summary = await readSummary()
    assert.ok(summary)
    assert.deepEqual(summary.drift, counts)
    assert.equal(summary.root, live.root)
    const fields = Object.keys(summary).toSorted().join()
    assert.equal(fields, 'chainId,coin,drift,frozenAt,recipients,root,token,totals')
  })

  await t.test('the static site counts drift, and names no one', async () => {
    const summary = summaryOf(live, await countDrift(db, live))
    const page = await readAllocationSite(deps.campaign.name, summary)
    const folder = path.join(parent, 'site')
    await exportSiteTo(deps, { folder, page }, { actor: null })
    const readme = await read('site/pack/README.md')
    assert.match(readme, /differed for 3 participants: 1 no longer approved/)
    for (const { wallet } of [inviter, undone, added]) assert.ok(!readme.includes(wallet), wallet)
    // The wallets of the inviter and of the undone approval are in the lists, as frozen.
    const addedDigits = added.wallet.toLowerCase().slice(2)
    for (const file of await filesBelow(folder))
      assert.ok(!(await read(`site/${file}`)).toLowerCase().includes(addedDigits), file)
    const html = await read('site/index.html')
    const shown = /data-summary="([^"]+)"/.exec(html)?.[1] ?? ''
    assert.deepEqual(JSON.parse(shown.replaceAll('&quot;', '"')).drift, counts)
    assert.match(html, /data-fact="drift"[^>]*>3</)
  })

  await t.test('drift has each participant’s points at the freeze and now', async () => {
    const { pfPoints: pf, plsPoints: pls } = grantedPoints(deps.campaign.airdrop)
    const { referralReward: referral } = deps.campaign.airdrop
    const nothing = { pf: 0, pls: 0, referral: 0 }
    const granted = { pf, pls, referral: 0 }
    const entryOf = ({ username, wallet }: typeof added, frozen: object, now: object) => {
      return { username, wallet, frozen, now }
    }
    const entries = (await readDrift(db, live)).map(({ drift, ...entry }) => [drift, entry])
    assert.deepEqual(Object.fromEntries(entries), {
      undone: entryOf(undone, granted, nothing),
      changed: entryOf(inviter, { ...granted, referral }, granted),
      added: entryOf(added, nothing, granted),
    })
    await reviewer.approve(undone.claimId)
    assert.deepEqual(await countDrift(db, live), { ...NO_DRIFT, added: 1 }, 'approved again')
  })
})

test('a ban is drift if it was either made or lifted after the freeze, but not both', async (t) => {
  const { deps, approveNewClaim, banPerson, liftBanOf } = await payoutDeps(t)
  await approveNewClaim()
  const [banned, revoked] = [await approveNewClaim(), await approveNewClaim()]
  const [bannedBefore, lifted] = [await approveNewClaim(), await approveNewClaim()]
  await banPerson(bannedBefore)
  await banPerson(lifted)
  const live = await freezeNow(deps)
  assert.deepEqual(await countDrift(deps.db, live), NO_DRIFT)

  await banPerson(banned)
  await banPerson(revoked, { revokesApproval: true })
  await liftBanOf(lifted)
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, banned: 2, unbanned: 1 })
  const drifts = (await readDrift(deps.db, live)).map(({ wallet, drift }) =>
    `${drift} ${wallet}`.toLowerCase(),
  )
  const expected = [`banned ${banned.wallet}`, `banned ${revoked.wallet}`, `unbanned ${lifted.wallet}`]
  assert.deepEqual(drifts.toSorted(), expected.map((line) => line.toLowerCase()).toSorted())

  await liftBanOf(banned)
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, banned: 1, unbanned: 1 })
})

test('deleting an account after the freeze is no drift', async (t) => {
  const { deps, adm, approveNewClaim, banPerson } = await payoutDeps(t)
  const [inviter, banned] = [await approveNewClaim(), await approveNewClaim()]
  const paid = await approveNewClaim({ referredBy: inviter.id })
  await banPerson(banned)
  const live = await freezeNow(deps)
  const later = await approveNewClaim({ referredBy: inviter.id })
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, changed: 1, added: 1 })
  // The inviter keeps the reward for `paid`, but not the one for `later`, which the freeze does not pay.
  for (const { id } of [paid, banned, later]) await deleteAccount(deps, { userId: id, by: adm.id })
  assert.deepEqual(await countDrift(deps.db, live), NO_DRIFT)
  assert.deepEqual(await readDrift(deps.db, live), [])
})

test('the approval of a corrected claim is drift only if it has another wallet', async (t) => {
  const { deps, approveNewClaim, reviewer } = await payoutDeps(t)
  const [moved, corrected] = [await approveNewClaim(), await approveNewClaim()]
  const live = await freezeNow(deps)
  const replace = async ({ id, claimId }: typeof moved, proof: object) => {
    await reviewer.undo(claimId)
    await reviewer.reject(claimId)
    const { _id } = await submitProof(deps, id, { ...freshProof(), ...proof })
    await reviewer.approve(_id)
  }
  await replace(moved, {})
  await replace(corrected, { wallet: corrected.wallet })
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, undone: 1 })
  const entries = (await readDrift(deps.db, live)).map(({ wallet, drift }) => ({ wallet, drift }))
  assert.deepEqual(entries, [{ wallet: moved.wallet, drift: 'undone' }])
  // A deletion removes the wallets of claims. A removed wallet does not count as another wallet.
  await deleteAccount(deps, { userId: corrected.id, by: null })
  assert.deepEqual(await countDrift(deps.db, live), { ...NO_DRIFT, undone: 1 })
})
