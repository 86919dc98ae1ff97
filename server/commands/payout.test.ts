import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { freezeNow, payoutCampaign, payoutDeps } from '../testing/builders/payouts.ts'
import { assertFailed, assertMisconfigured, assertSucceeded } from '../testing/checks/commands.ts'
import { nodeWithoutTransfers } from '../testing/fakes/json-rpc.ts'
import { serveStub } from '../testing/fakes/http-stub.ts'
import { startCommand } from '../testing/product.ts'
import { runWarm } from '../testing/warm-command.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { untilWaiting } from '../testing/database/races.ts'

async function setUp(t: TestContext, campaign = payoutCampaign()) {
  const payouts = await payoutDeps(t, campaign)
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  await writeFile(file, JSON.stringify(campaign))
  const env = { DATABASE_URL: payouts.url, CAMPAIGN_CONFIG: file }
  const payout = (...args: string[]) => runWarm('payout', args, env)
  return { ...payouts, env, payout, folder }
}

test('freezes despite an undecided claim only with --force, and thaws', async (t) => {
  const { payout, claim, approveNewClaim } = await setUp(t)
  await approveNewClaim()
  await approveNewClaim()
  await claim()
  const { contract } = payoutCampaign().token
  const warning = `The token contract ${contract} is still a placeholder: there is no token at this address. Set the real contract first, because the lists and the Merkle root are made for this one.\n`
  assertFailed(
    await payout('freeze'),
    1,
    `${warning}One claim is waiting for a decision. Decide first, or use --force to leave out undecided claims.\n`,
  )

  const { code, out, err } = await payout('freeze', '--force')
  assert.deepEqual({ code, err }, { code: 0, err: warning })
  assert.match(
    out,
    /^Frozen: 2 wallets, 40000 PF and 20000 PLS\.\nRoot 0x[0-9a-f]{64}\nLeft out, waiting for a decision: 1\.\n$/,
  )

  const thawed = await payout('thaw', '--reason', 'Too early.')
  assertSucceeded(thawed, 'The freeze has been undone. The reason is in the journal.\n')
})

test('exports the files for paying into an empty folder, and names what has changed since the freeze', async (t) => {
  const { payout, folder, approveNewClaim, deps, reviewer } = await setUp(t)
  const pack = path.join(folder, 'pack')
  const { claimId, wallet } = await approveNewClaim()
  await approveNewClaim()
  assertFailed(await payout('export', pack), 1, 'No allocation is frozen.\n')

  await freezeNow(deps)
  await reviewer.undo(claimId)
  const exported = await payout('export', pack)
  const written = `^Wrote the pack for 2 wallets to ${pack}\\. Start with its README\\.md\\.\n`
  assertSucceeded(exported, new RegExp(written))
  assert.match(exported.out, new RegExp(`${wallet}: the approval was undone after the freeze`))
  assert.match(await readFile(path.join(pack, 'SHA256SUMS'), 'utf8'), /allocation\.json/)

  assertFailed(await payout('export', pack), 1, `${pack} is not empty. Use a new or empty folder.\n`)
  const inFile = path.join(folder, 'campaign.json', 'pack')
  const problem = `${inFile} cannot be written: a part of its path is a file, not a folder. Choose another one.\n`
  for (const verb of ['export', 'site']) assertMisconfigured(await payout(verb, inFile), problem)
})

test('writes a static site with the root that the freeze printed', async (t) => {
  const { payout, folder, approveNewClaim } = await setUp(t)
  await approveNewClaim()
  const [root = 'no root'] = /0x[0-9a-f]{64}/.exec((await payout('freeze')).out) ?? []
  const site = path.join(folder, 'site')
  assertSucceeded(await payout('site', site))
  assert.ok((await readFile(path.join(site, 'index.html'), 'utf8')).includes(root))
})

test('an export that is interrupted or killed leaves nothing that could be taken for a pack', async (t) => {
  const { env, folder, payout, approveNewClaim, db, deps, whileLocked } = await setUp(t)
  await approveNewClaim()
  await freezeNow(deps)
  const target = path.join(folder, 'pack')
  const exportUntil = (signal: NodeJS.Signals) =>
    whileLocked(
      'payout_rows',
      async () => {
        const { child, ended } = startCommand('payout', ['export', target], env)
        // The export waits to read the rows, or has ended on a machine that stalls.
        await Promise.race([untilWaiting(db, 1), ended])
        child.kill(signal)
        return ended
      },
      'access exclusive',
    )
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    assert.equal((await exportUntil(signal)).code, 1, signal)
    assert.deepEqual(await readdir(folder), ['campaign.json'])
  }

  assert.notEqual((await exportUntil('SIGKILL')).code, 0)
  const others = (await readdir(folder)).filter((name) => !/^(campaign\.json$|pack\.partial-)/.test(name))
  assert.deepEqual(others, [])

  // Ends the lease of the export that was killed.
  await sql`update payout_runs set beat_at = now() - interval '1 minute'`.execute(db)
  assertSucceeded(await payout('export', target))
  assert.ok(existsSync(path.join(target, 'SHA256SUMS')))
})

/** A frozen allocation of `count` wallets, and the command that compares it with what a node reports. */
async function setUpReconcile(t: TestContext, count: number) {
  const { env, approveNewClaim, deps, payout } = await setUp(t)
  for (let number = 0; number < count; number += 1) await approveNewClaim()
  await freezeNow(deps)
  const payer = `0x${'ab'.repeat(20)}`
  const reconcile = (nodeUrl: string, ...args: string[]) =>
    runWarm('payout', ['reconcile', '--payer', payer, ...args], { ...env, CHAIN_RPC_URL: nodeUrl })
  return { reconcile, payout }
}

test('reads the payments that a node reports, and names at most twenty wallets of a list', async (t) => {
  const { reconcile } = await setUpReconcile(t, 21)
  // The newest block of this node is 100. A block is read once 64 others follow it.
  const node = await serveStub(t, nodeWithoutTransfers)
  assertSucceeded(
    await reconcile(node, '--from-block', '5'),
    /^Blocks 5 to 36 were read \(a block counts once 64 others follow it\)\. New payments: 0\.\nPF: 21 missing\.\n(?: {2}missing 0x[0-9a-fA-F]{40} 0 of 20000 PF\n){20} {2}… and more under missing: see the dashboard\.\nPLS: 21 not readable.*\n$/,
  )
  assertSucceeded(await reconcile(node, '--from-block', '36'), /^Block 36 was read \(/)
  assertSucceeded(await reconcile(node, '--from-block', '37'), /^There are no new blocks to read \(/)
})

test('refuses to reconcile with a failing node, a malformed node address, or a malformed payer', async (t) => {
  const { reconcile, payout } = await setUpReconcile(t, 1)
  const failing = await serveStub(t, (_request, response) => response.writeHead(500).end())
  assertFailed(await reconcile(failing), 1, /^We can’t read the chain right now\./)
  const malformed = 'CHAIN_RPC_URL must be an address that starts with http:// or https://\n'
  assertMisconfigured(await reconcile('ftp://node'), malformed)
  assertFailed(
    await payout('reconcile', '--payer', '0x12'),
    1,
    'Enter a wallet address: 0x followed by 40 hexadecimal digits.\n',
  )
})

test('refuses to freeze with a campaign file without rates', async (t) => {
  const { payout: _, ...withoutRates } = payoutCampaign()
  const { payout } = await setUp(t, withoutRates)
  assertMisconfigured(await payout('freeze'), /^The campaign file has no payout rates yet\./)
})

test('names the wallets that participants share', async (t) => {
  const campaign = payoutCampaign({ duplicateWallets: 'refuse' })
  const token = { ...campaign.token, placeholder: false }
  const { payout, approveNewClaim, shareWallets } = await setUp(t, { ...campaign, token })
  const { wallet } = await approveNewClaim()
  await approveNewClaim()
  await shareWallets()
  const refusal = `Several participants share a wallet, which the campaign file doesn’t allow (\`payout.duplicateWallets\`).\n${wallet}\n`
  // The contract is no placeholder, so nothing else is printed.
  assertFailed(await payout('freeze'), 1, new RegExp(`^${RegExp.escape(refusal)}$`, 'i'))
})
