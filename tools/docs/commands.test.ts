import assert from 'node:assert/strict'
import { cp, glob, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { payoutCampaign, payoutDeps } from '#server/testing/builders/payouts.ts'
import { emptyDatabase } from '#server/testing/database/database.ts'
import { testNode } from '#server/testing/deps.ts'
import { deadAddress, serveStub } from '#server/testing/fakes/http-stub.ts'
import { ANY_ENTRY, recordEntries } from '#server/testing/journal.ts'
import { nodeWithoutTransfers } from '#server/testing/fakes/json-rpc.ts'
import { CAMPAIGN_FILE, type Ended, makeDataDir, runCommand } from '#server/testing/product.ts'
import { lastRun } from '#server/domain/backups/runs.ts'
import { sealJournal } from '#server/domain/journal/seal.ts'
import {
  commandsIn,
  type Environment,
  isUntested,
  matches,
  npmRunOf,
  start,
  UNTESTED,
  withPlaceholders,
} from './commands.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { runWarm } from '#server/testing/warm-command.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const SECRET = 'a secret of the tests, long enough to be one'

/** Each documented command, with a document that has it. */
const documented = new Map<string, string>()
const textByFile = new Map<string, string>()
for await (const file of glob(['*.md', 'docs/**/*.md', 'deploy/**/*.md'], { cwd: ROOT })) {
  const text = await readFile(path.join(ROOT, file), 'utf8')
  textByFile.set(file, text)
  for (const command of commandsIn(text)) documented.set(command, file)
}

const ran = new Set<string>()

/**
 * Runs the bundle of a documented command, as the bootstrap would after comparing all sources. The doctor
 * needs a process of its own.
 * @param instead replacements for placeholders, and for names that this machine does not have
 */
async function run(command: string, env: Environment, instead: Record<string, string> = {}): Promise<Ended> {
  assert.ok(documented.has(command), `${command} is no longer documented: follow the document`)
  ran.add(withPlaceholders(command))
  const { name, args } = await npmRunOf(replaceNames(command, instead))
  return (name === 'doctor' ? runCommand : runWarm)(name, args, env)
}

function replaceNames(command: string, instead: Record<string, string>): string {
  return Object.entries(instead).reduce((result, [name, value]) => {
    assert.ok(result.includes(name), `${command} does not contain ${name}`)
    return result.replaceAll(name, value)
  }, command)
}

/** Runs a command and asserts that it succeeds. @returns its output. */
async function succeeds(command: string, env: Environment, instead?: Record<string, string>) {
  const { code, out, err } = await run(command, env, instead)
  assert.equal(code, 0, `${command}\n${out}${err}`)
  return out
}

/** A node with its own database, and the environment for commands on that database. */
async function deployment(t: TestContext) {
  const { db, deps, url, ownerUrl } = await testNode(t)
  const dir = await scratchFolder(t)
  const env = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    DATA_DIR: dir,
    APP_SECRET: SECRET,
    CAMPAIGN_CONFIG: CAMPAIGN_FILE,
  }
  return { db, deps, env, dir }
}

test('every npm script starts the bootstrap with its own name, as these tests do', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const renamed: Record<string, string> = { 'types:database': 'types-database' }
  for (const [name, script] of Object.entries(scripts))
    assert.equal(script, `exec node tools/bootstrap.mjs ${renamed[name] ?? name}`)
})

suite('every documented command runs', { concurrency: 2 }, () => {
  test('administrators', async (t) => {
    const { db, deps, env } = await deployment(t)
    assert.match(await succeeds('npm run admin -- link', env), /\/setup#token=\S+/)
    await createUsers(db, deps.campaign.id, 1, { role: 'admin', email: () => 'ann@example.org' })
    const { err } = await run('npm run admin -- reset-2fa ann@example.org', env)
    assert.match(err, /^No account with the email ann@example\.org has two-factor login turned on\.\n$/)
  })

  test('people', async (t) => {
    const { db, deps, env, dir } = await deployment(t)
    const named = { username: () => 'ann_m', email: () => 'ann@mail.example' }
    const [ann] = await createUsers(db, deps.campaign.id, 1, named)
    assert.match(await succeeds('npm run people -- show ann@mail.example', env), /^ann_m <ann@mail\.example>/)
    const copy = path.join(dir, 'ann.json')
    await succeeds('npm run people -- export ann@mail.example ann.json', env, { 'ann.json': copy })
    const { account } = JSON.parse(await readFile(copy, 'utf8')) as { account: { username: string } }
    assert.equal(account.username, 'ann_m')

    await succeeds("npm run people -- ban ann@mail.example --reason 'Three accounts with one wallet.'", env)
    await succeeds('npm run people -- unban ann@mail.example', env)
    await succeeds('npm run journal -- erase USER_ID', env, { USER_ID: ann.id })
    await succeeds('npm run people -- delete ann@mail.example --yes', env)
  })

  test('the pause of a campaign', async (t) => {
    const { env } = await deployment(t)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    await succeeds(
      "npm run campaign -- pause --notice 'X is down. Your slots are safe.' --until 2027-01-31T12:00:00Z",
      env,
      { '2027-01-31T12:00:00Z': tomorrow },
    )
    await succeeds('npm run campaign -- resume', env)
  })

  test('webhooks', async (t) => {
    const { env } = await deployment(t)
    const receiver = await serveStub(t, (_request, response) => response.writeHead(204).end())
    const added = await succeeds(
      'npm run webhooks -- add https://bot.example.org/campaign --events claim.received,claim.decided',
      env,
      { 'https://bot.example.org': receiver },
    )
    const [ID = ''] = /[0-9a-f-]{36}/.exec(added) ?? []
    assert.match(await succeeds('npm run webhooks -- list', env), new RegExp(ID))
    assert.match(await succeeds('npm run webhooks -- test ID', env, { ID }), /^Delivered/)
    await succeeds('npm run webhooks -- remove ID', env, { ID })
  })

  test('the doctor', async (t) => {
    const { env } = await deployment(t)
    const dead = await deadAddress(t)
    const withoutServices = { ...env, PUBLIC_URL: dead, CHAIN_RPC_URL: dead, PRICE_API_URL: dead }
    const { code, out } = await run('npm run doctor', withoutServices)
    assert.equal(code, 1)
    assert.match(out, /^database +fine/m)
    const asJson = await run('npm run doctor -- --json', withoutServices)
    assert.ok(Array.isArray((JSON.parse(asJson.out) as { checks: unknown }).checks))
  })

  test('a payout, from the freeze to reading its payments', async (t) => {
    const campaign = payoutCampaign()
    const { url, approveNewClaim } = await payoutDeps(t, campaign)
    await approveNewClaim()
    const dir = await scratchFolder(t)
    const CAMPAIGN_CONFIG = path.join(dir, 'campaign.json')
    await writeFile(CAMPAIGN_CONFIG, JSON.stringify(campaign))
    const env = {
      DATABASE_URL: url,
      DATA_DIR: dir,
      APP_SECRET: SECRET,
      CAMPAIGN_CONFIG,
      CHAIN_RPC_URL: await serveStub(t, nodeWithoutTransfers),
    }
    assert.match(await succeeds('npm run payout -- freeze', env), /^Frozen: 1 wallet/)

    const pack = path.join(dir, 'pack')
    await succeeds('npm run payout -- export /payout/pack', env, { '/payout/pack': pack })
    assert.ok((await stat(path.join(pack, 'README.md'))).isFile())
    const site = path.join(dir, 'site')
    await succeeds('npm run payout -- site /payout/site', env, { '/payout/site': site })
    assert.ok((await stat(path.join(site, 'index.html'))).isFile())

    const payer = `0x${'ab'.repeat(20)}`
    const reconciled = await succeeds('npm run payout -- reconcile --payer 0x…', env, { '0x…': payer })
    assert.match(reconciled, /New payments: 0/)
    await succeeds('npm run payout -- reconcile --payer 0x… --campaign spring-airdrop', env, {
      '0x…': payer,
      'spring-airdrop': campaign.id,
    })
    await succeeds("npm run payout -- thaw --reason 'Rates were wrong.'", env)
  })

  test('a backup, its rehearsal, its restore and the journal after it', async (t) => {
    const { db, deps, env, dir } = await deployment(t)
    await createUsers(db, deps.campaign.id, 2)
    await recordEntries(db, ANY_ENTRY)
    await sealJournal(db)
    const sunday = path.join(dir, 'sunday.backup')
    const backup = { '/backups/sunday.backup': sunday }
    const owner = { ...env, DATABASE_URL: env.DATABASE_OWNER_URL }
    await succeeds('npm run backup -- /backups/sunday.backup', owner, backup)
    assert.match(
      await succeeds('npm run restore -- --rehearse /backups/sunday.backup', owner, backup),
      /can be restored: \d+ rows\.\nThe journal is valid.*\nIts campaign file \S+ has no mistakes\.\n$/,
    )
    assert.partialDeepStrictEqual(await lastRun(db, 'rehearsal'), { file: sunday, error: null })

    const journal = path.join(dir, 'journal.ndjson')
    const named = { 'journal.ndjson': journal }
    assert.match(
      await succeeds('npm run journal -- export journal.ndjson', env, named),
      /^Wrote the journal to /,
    )
    const verified = await succeeds('npm run journal -- verify ../journal.ndjson', env, {
      '../journal.ndjson': journal,
    })
    const [, head = ''] = /head (\S+@\d+)/.exec(verified) ?? []

    const { url } = await emptyDatabase(t)
    const target = { ...env, DATABASE_URL: url, DATABASE_OWNER_URL: url }
    await succeeds('npm run restore -- /backups/sunday.backup', target, backup)
    const restored = path.join(dir, 'after.ndjson')
    await succeeds('npm run journal -- export ../after.ndjson', target, { '../after.ndjson': restored })
    const compared = await succeeds('npm run journal -- verify journal.ndjson --head HASH@NUMBER', target, {
      'journal.ndjson': restored,
      'HASH@NUMBER': head,
    })
    assert.match(compared, /It contains the published head/)
  })

  test('starts in production with the documented variables, on the command line or in a file', async (t) => {
    const { env: common } = await deployment(t)
    const dir = await makeDataDir(t)
    const file = path.join(dir, 'dropwright.env')
    await writeFile(
      file,
      'NODE_ENV=production\nPUBLIC_URL=https://airdrop.localhost:18443\nSMTP_URL=smtp://127.0.0.1:1\nTRUST_PROXY=loopback\nHOST=127.0.0.1\n',
    )
    const nowhere = 'http://127.0.0.1:1'
    const env = { ...common, DATA_DIR: dir, PORT: '0', CHAIN_RPC_URL: nowhere, PRICE_API_URL: nowhere }

    const inline = [...documented.keys()].find((command) => command.startsWith('NODE_ENV=production ')) ?? ''
    const fromFile = 'set -a; . ../dropwright.env; set +a'
    for (const command of [inline, fromFile, 'npm start']) {
      assert.ok(documented.has(command), `a document has the command ${command}`)
      ran.add(withPlaceholders(command))
    }
    const inlineHere = replaceNames(inline, { 'mail.example.org:587': '127.0.0.1:1' })
    const fromFileHere = `${replaceNames(fromFile, { '../dropwright.env': file })}\nnpm start`
    await Promise.all([
      servesUntilStopped(t, inlineHere, { ...env, HOST: '127.0.0.1' }),
      servesUntilStopped(t, fromFileHere, env),
    ])
  })
})

/** Starts a server, waits until it listens, and stops it like a service manager. */
async function servesUntilStopped(t: TestContext, command: string, env: Environment): Promise<void> {
  const { child, ended } = start(command, { ...env, DRAIN_SECONDS: '0' })
  const stop = () => {
    const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null
    if (isRunning) process.kill(-child.pid, 'SIGTERM') // its process group
  }
  t.after(stop)
  const listening = new Promise<void>((resolve) => {
    let output = ''
    child.stdout?.on('data', (bytes: Buffer) => {
      output += bytes.toString()
      if (output.includes('Server listening at')) resolve()
    })
  })
  await Promise.race([listening, ended.then(({ out, err }) => assert.fail(`${command}\n${out}${err}`))])
  stop()
  await ended
}

test('the example environment file is copied to where Compose reads it', async (t) => {
  const dir = await scratchFolder(t)
  await cp(path.join(ROOT, 'deploy/env.example'), path.join(dir, 'env.example'))
  const copy = 'cp env.example .env && chmod 600 .env'
  assert.ok(documented.has('cd deploy') && documented.has(copy))
  const { code, err } = await start(`cd ${dir}\n${copy}`, {}).ended
  assert.equal(code, 0, err)
  assert.equal((await stat(path.join(dir, '.env'))).mode & 0o777, 0o600)
  ran.add('cd deploy').add(copy)
})

test('blocks of commands are marked as sh, so that their commands are found', () => {
  for (const [file, text] of textByFile)
    for (const [block] of text.matchAll(/^```\n.*?^```/gms))
      assert.doesNotMatch(block, /^(npm|npx|node|docker|systemctl|curl|git) /m, `${file}: mark it as sh`)
})

test('finds commands, but no comments, output, variables or other languages', () => {
  const block = (info: string, content: string) => `\`\`\`${info}\n${content}\n\`\`\`\n`
  const found = commandsIn(
    [
      block('sh', 'A=1 \\\n  npm start # now\n# a comment\nPORT=3000\necho \'a # b\' "# c"   # d'),
      block('', '$ npm test\n12 passed\n$ echo "#"'),
      block('sql', 'select 1'),
      'Inline `npm run x` is no block.',
    ].join('\n'),
  )
  assert.deepEqual(found, ['A=1 npm start', 'echo \'a # b\' "# c"', 'npm test', 'echo "#"'])
})

// Must be the last test, when the others have run their commands.
test('these tests run every documented command, except those listed with a reason', () => {
  assert.ok(documented.size > 40, 'commands are found')
  for (const [command, file] of documented)
    assert.ok(
      ran.has(withPlaceholders(command)) !== isUntested(command),
      ran.has(withPlaceholders(command))
        ? `${command} is run, so it needs no reason`
        : `${file}: no test runs \`${command}\`, and no reason is given`,
    )
  for (const [reason, ...patterns] of UNTESTED)
    for (const pattern of patterns)
      assert.ok(
        [...documented.keys()].some((command) => matches(pattern, command)),
        `No command ${String(pattern)} is documented any more (${reason})`,
      )
})
