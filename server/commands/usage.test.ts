import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertFailed, assertSucceeded } from '../testing/checks/commands.ts'
import type { CommandName } from '../testing/product.ts'
import { runWarm } from '../testing/warm-command.ts'

const BOSS = ['--email', 'boss@team.example']

const WRONG: Record<CommandName, string[][]> = {
  admin: [
    [],
    ['reset-2fa'],
    ['create', ...BOSS],
    ['link', ...BOSS],
    ['delete', ...BOSS, '--username', 'boss'],
    ['create', ...BOSS, '--username', 'boss', '--password', 'an administrator passphrase'],
  ],
  backup: [[], ['one.backup', '--force']],
  campaign: [[], ['status', '--yes'], ['pause'], ['extend']],
  doctor: [['--yes'], ['--timeout', '0']],
  journal: [
    [],
    ['verify'],
    ['check', 'x'],
    ['verify', 'a', 'b'],
    ['verify', 'a', '--head', 'zz@1'],
    ['export'],
    ['erase', 'a', '--without-details'],
    ['verify', 'a', '--no'],
  ],
  payout: [
    ['freeze', '--reason', 'x'],
    ['export', 'a', 'b'],
    ['thaw', '--reason', ' '],
    ['thaw', '--reason', 'x'.repeat(501)],
    ['thaw', '--reason', 'Rings a bell: \u0007'],
    ['reconcile', '--payer', '0x', '--from-block', '-1'],
    ['reconcile', '--payer', '0x', '--tx', '0x12'],
  ],
  people: [
    ['ban', 'ann_arc'],
    ['export', 'ann_arc'],
    ['show', 'ann_arc', 'ann.json'],
    ['show', 'ann_arc', '--yes'],
    ['unban', 'ann_arc', '--reason', 'x'],
    ['unban', 'ann_arc', '--revoke-approval'],
  ],
  restore: [[], ['--rehearse', 'one.backup', '--force']],
  seed: [
    ['--users', '0'],
    ['--users', '-3'],
    ['--users', '1e3'],
    ['--users', '1000001'],
    ['50'],
    ['--no'],
    ['--remove', '--users', '3'],
  ],
  settings: [[], ['set'], ['set', 'name'], ['list', 'x'], ['unset', 'a', 'b'], ['set', 'a', 'b', 'c']],
  webhooks: [[], ['add'], ['list', 'x'], ['test', 'x'], ['add', 'https://a.example', '--events', 'x']],
}

/** Nothing answers at this address, so arguments that are accepted by mistake do no harm. */
const NOWHERE = { DATABASE_URL: 'postgresql://nobody@localhost/nothing' }

test('seed --help prints the usage and succeeds', async () => {
  assertSucceeded(await runWarm('seed', ['--help'], NOWHERE), /^Usage: npm run seed [^]+\n$/)
})

test('a subcommand that cannot be undone asks for --yes', async () => {
  const asked = /^This cannot be undone\. .* --yes\.\n$/
  for (const [name, ...args] of [
    ['campaign', 'close'],
    ['campaign', 'archive'],
    ['people', 'delete', 'ann_arc'],
  ] as const)
    assertFailed(await runWarm(name, args, NOWHERE), 1, asked)
})

suite('each command prints its usage for wrong arguments', () => {
  for (const [name, wrong] of Object.entries(WRONG) as [CommandName, string[][]][])
    test(name, async () => {
      const usages = new Set<string>()
      for (const args of wrong) {
        const answer = await runWarm(name, args, NOWHERE)
        assert.equal(answer.code, 1, args.join(' '))
        assertFailed(answer, 1, new RegExp(`^Usage: npm run ${name} [^]+\n$`))
        usages.add(answer.err)
      }
      assert.equal(usages.size, 1, 'all answers are the same usage')
    })
})
