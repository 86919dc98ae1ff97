import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { payoutCampaign, payoutDeps } from '../testing/builders/payouts.ts'
import { nodeWithoutTransfers } from '../testing/fakes/json-rpc.ts'
import { serveStub } from '../testing/fakes/http-stub.ts'
import { runCommand, startCommand } from '../testing/product.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { untilWaiting } from '../testing/races.ts'

async function setUp(t: TestContext, campaign = payoutCampaign()) {
  const made = await payoutDeps(t, campaign)
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'campaign.json')
  await writeFile(file, JSON.stringify(campaign))
  const env = { DATABASE_URL: made.url, CAMPAIGN_CONFIG: file }
  const payout = (...args: string[]) => runCommand('payout', args, env)
  return { ...made, env, payout, folder }
}

test('freezes, exports and undoes the freeze, and reports what was left out', async (t) => {
  const { payout, folder, claim, approved, reviewer } = await setUp(t)
  const { claimId, wallet } = await approved()
  await approved()
  await claim()
  const waiting = await payout('freeze')
  const { contract } = payoutCampaign().token
  assert.equal(waiting.code, 1)
  assert.equal(
    waiting.err,
    `The token contract ${contract} is still a placeholder: there is no token at this address. Set the real contract first, because the lists and the Merkle root are made for this one.\n` +
      'One claim is waiting for a decision. Decide first, or use --force to leave out undecided claims.\n',
  )
  const none = await payout('export', path.join(folder, 'pack'))
  assert.deepEqual([none.code, none.err], [1, 'No allocation is frozen.\n'])

  const frozen = await payout('freeze', '--force')
  assert.equal(frozen.code, 0, frozen.err)
  assert.match(frozen.err, /^The token contract .* is still a placeholder/)
  assert.match(
    frozen.out,
    /^Frozen: 2 wallets, 40000 PF and 20000 PLS\.\nRoot 0x[0-9a-f]{64}\nLeft out, waiting for a decision: 1\.\n$/,
  )

  await reviewer.undo(claimId)
  const pack = path.join(folder, 'pack')
  const exported = await payout('export', pack)
  assert.deepEqual([exported.code, exported.err], [0, ''])
  assert.match(
    exported.out,
    new RegExp(`^Wrote the pack for 2 wallets to ${pack}\\. Start with its README\\.md\\.\n`),
  )
  assert.match(exported.out, new RegExp(`${wallet}: the approval was undone after the freeze`))
  assert.match(await readFile(path.join(pack, 'SHA256SUMS'), 'utf8'), /allocation\.json/)
  const full = await payout('export', pack)
  assert.deepEqual([full.code, full.err], [1, `${pack} is not empty. Use a new or empty folder.\n`])

  const site = path.join(folder, 'site')
  const published = await payout('site', site)
  assert.deepEqual([published.code, published.err], [0, ''])
  const [root = 'no root'] = /0x[0-9a-f]{64}/.exec(frozen.out) ?? []
  assert.ok((await readFile(path.join(site, 'index.html'), 'utf8')).includes(root))

  const thawed = await payout('thaw', '--reason', 'Too early.')
  assert.equal(thawed.code, 0)
  assert.equal(thawed.out, 'The freeze has been undone. The reason is in the journal.\n')
})

test('an export that is interrupted or killed leaves nothing that could be taken for a pack', async (t) => {
  const { env, folder, payout, approved, db, whileLocked } = await setUp(t)
  await approved()
  assert.equal((await payout('freeze')).code, 0)
  const target = path.join(folder, 'pack')
  const cutOff = (signal: NodeJS.Signals) =>
    whileLocked(
      'payout_rows',
      async () => {
        const { child, ended } = startCommand('payout', ['export', target], env)
        // It has begun, and waits to read the rows; or it has given up waiting on a machine that stalls.
        await Promise.race([untilWaiting(db, 1), ended])
        child.kill(signal)
        return ended
      },
      'access exclusive',
    )
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    assert.equal((await cutOff(signal)).code, 1, signal)
    assert.deepEqual(await readdir(folder), ['campaign.json'])
  }
  assert.notEqual((await cutOff('SIGKILL')).code, 0)
  const left = (await readdir(folder)).filter((name) => name !== 'campaign.json')
  assert.ok(
    left.every((name) => name.startsWith('pack.partial-')),
    left.join(),
  )
  assert.ok(!existsSync(target))
  // The lease of the one that was killed is over.
  await sql`update payout_runs set beat_at = now() - interval '1 minute'`.execute(db)
  const whole = await payout('export', target)
  assert.equal(whole.code, 0, whole.err)
  assert.ok(existsSync(path.join(target, 'SHA256SUMS')))
})

test('reads the payments that a node reports, and names at most twenty wallets of a list', async (t) => {
  const { env, payout, approved } = await setUp(t)
  for (let number = 0; number < 21; number += 1) await approved()
  await payout('freeze')
  const payer = `0x${'ab'.repeat(20)}`
  const reconcile = (url: string, ...args: string[]) =>
    runCommand('payout', ['reconcile', '--payer', payer, ...args], { ...env, CHAIN_RPC_URL: url })
  const done = await reconcile(await serveStub(t, nodeWithoutTransfers), '--from-block', '5')
  assert.deepEqual([done.code, done.err], [0, ''])
  assert.match(
    done.out,
    /^Blocks 5 to 36 were read \(a block counts once 64 others follow it\)\. New payments: 0\.\nPF: 21 missing\.\n(?: {2}missing 0x[0-9a-fA-F]{40} 0 of 20000 PF\n){20} {2}… and more under missing: see the dashboard\.\nPLS: 21 not readable.*\n$/,
  )
  const again = async (from: string) =>
    (await reconcile(await serveStub(t, nodeWithoutTransfers), '--from-block', from)).out
  assert.match(await again('36'), /^Block 36 was read \(/)
  assert.match(await again('37'), /^There are no new blocks to read \(/)
  const silent = await reconcile(await serveStub(t, (_request, response) => response.writeHead(500).end()))
  assert.deepEqual([silent.code, silent.out], [1, ''])
  assert.match(silent.err, /^We can’t read the chain right now\./)
  const malformed = await reconcile('ftp://node')
  assert.equal(malformed.code, 78)
  assert.equal(malformed.err, 'CHAIN_RPC_URL must be an address that starts with http:// or https://\n')
  const wrong = await payout('reconcile', '--payer', '0x12')
  assert.equal(wrong.code, 1)
  assert.equal(wrong.err, 'Enter a wallet address: 0x followed by 40 hexadecimal digits.\n')
})

test('refuses a campaign file without rates, and names the wallets that are shared', async (t) => {
  const { payout: _, ...without } = payoutCampaign()
  const first = await setUp(t, without)
  const unset = await first.payout('freeze')
  assert.deepEqual([unset.code, unset.out], [78, ''])
  assert.match(unset.err, /^The campaign file has no payout rates yet\./)
  const demo = payoutCampaign({ duplicateWallets: 'refuse' })
  // A contract that is no placeholder is not warned of.
  const strict = await setUp(t, { ...demo, token: { ...demo.token, placeholder: false } })
  const { wallet } = await strict.approved()
  await strict.approved()
  await strict.shareWallets()
  const shared = await strict.payout('freeze')
  assert.deepEqual([shared.code, shared.out], [1, ''])
  assert.equal(
    shared.err.toLowerCase(),
    `several participants share a wallet, which the campaign file doesn’t allow (\`payout.duplicatewallets\`).\n${wallet.toLowerCase()}\n`,
  )
})
