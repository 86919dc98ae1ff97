import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test, type TestContext } from 'node:test'
import { marketsOf } from '#contract/token-proofs/subject.ts'
import campaign from '#server/testing/campaign.ts'
import { tasksOf } from '#server/testing/builders/tasks.ts'
import { CAMPAIGN_FILE } from '#server/testing/product.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { problemIn } from './faults.ts'
import { inspectCampaign, loadCampaign } from './load-campaign.ts'
import { campaignIn, joinLanguages } from './localized-campaign.ts'

const { token, airdrop, chain, links } = campaign

function problemsOf(value: unknown): string[] {
  const inspected = inspectCampaign(value)
  return 'problems' in inspected ? inspected.problems.map((problem) => problemIn(problem)) : []
}

/** A folder outside the checkout, so that our packages do not resolve there. */
async function folderWith(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await scratchFolder(t)
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

test('loads campaign.config.ts by default', async () => {
  const loaded = await loadCampaign()
  if ('problems' in loaded) return assert.fail(loaded.problems.join('\n'))
  // As in the file, where each text has all its languages.
  assert.deepEqual(joinLanguages(loaded), (await import('../../../campaign.config.ts')).default)
})

test('loads a campaign file from any folder, whatever module type its package.json has', async (t) => {
  const original = await readFile(CAMPAIGN_FILE, 'utf8')
  const source = original.replace("id: 'first-airdrop'", "id: 'second-airdrop'")
  const folder = await folderWith(t, {
    'package.json': '{ "type": "commonjs" }',
    'copy.ts': source,
    'copy.mts': source,
    'typed.ts': source // with a relative import, also of a type
      .replace("'#contract/campaign-file.ts'", "'./contract/campaign-file.ts'")
      .replace('defineCampaign }', 'defineCampaign, type CampaignFile }'),
    'plain.mjs': `export default ${JSON.stringify({ ...campaign, id: 'second-airdrop' })}`,
  })
  const relativePath = relative(process.cwd(), join(folder, 'copy.ts'))
  const paths = ['copy.ts', 'copy.mts', 'typed.ts', 'plain.mjs'].map((name) => join(folder, name))
  for (const file of [...paths, relativePath]) {
    const loaded = await loadCampaign(file)
    assert.ok(!('problems' in loaded), file)
    assert.deepEqual(campaignIn(loaded, 'en'), { ...campaign, id: 'second-airdrop' }, file)
  }
})

test('loads a campaign file in JSON, with a byte order mark', async (t) => {
  const folder = await folderWith(t, { 'whole.json': `\uFEFF${JSON.stringify(campaign, null, 2)}` })
  assert.deepEqual(await loadCampaign(join(folder, 'whole.json')), campaign)
})

const NO_COMMA = 'const a = 1\nexport default {\n  a\n  b: 2,\n}'
const UNREADABLE: [name: string, source: string, expected: RegExp][] = [
  ['comma.ts', NO_COMMA, /could not be read: line 4: Unexpected token `ident`/],
  ['comma.mjs', NO_COMMA, /could not be read: line 4: Unexpected token `ident`/],
  ['open.ts', 'export default {', /could not be read: line 1: Unexpected token `<eof>`/],
  ['twice.ts', 'const a = 1\nconst a = 2\nexport default a', /could not be read: Identifier 'a' has already/],
  ['unknown.ts', '\n\nexport default { name: x }', /could not be read: line 3: x is not defined$/],
  ['throws.ts', '\nthrow new Error("no\\nway")', /could not be read: line 2: no$/],
  ['import.ts', 'import { x } from "./gone.ts"\nexport default x', /could not be read: Cannot find module/],
  [
    'comma.json',
    '{\n  "a": 1\n  "b": 2\n}',
    /could not be read: line 3: Expected ',' or '}' after property value$/,
  ],
  ['word.json', '{\n  "a": 1,\n  "b": yes\n}', /could not be read: line 3: Unexpected token 'y'$/],
  ['open.json', '{\n  "a": {\n', /could not be read: line (2|3): Expected property name or '}'$/],
  ['empty.json', '', /could not be read: line 1: Unexpected end of JSON input$/],
  ['none.ts', 'export const campaign = {}', /: the default export is missing$/],
]

for (const [name, source, expected] of UNREADABLE) {
  test(`explains in one line why ${name} cannot be read`, async (t) => {
    const file = join(await folderWith(t, { [name]: source }), name)
    const loaded = await loadCampaign(file)
    assert.ok('problems' in loaded)
    const [line = '', ...others] = loaded.problems
    assert.deepEqual(others, [])
    assert.ok(line.startsWith(file) && !line.includes('\n'), line)
    assert.match(line, expected)
  })
}

test('explains what to do if the file is missing or a folder', async (t) => {
  const folder = await scratchFolder(t)
  for (const name of ['gone.ts', 'gone.json', 'gone/gone.ts']) {
    const file = join(folder, name)
    assert.deepEqual(await loadCampaign(file), {
      problems: [
        `${file} does not exist: copy campaign.config.ts there, or set CAMPAIGN_CONFIG to the campaign file that you mean`,
      ],
    })
  }
  assert.deepEqual(await loadCampaign(folder), {
    problems: [`${folder} is a folder: CAMPAIGN_CONFIG has to name the campaign file in it`],
  })
})

test('reports each mistake on its own line, with its path', () => {
  const wrong = {
    ...campaign,
    id: 7,
    name: '',
    color: 'red',
    token: { ...token, contract: '0x12', supply: '1000000000', decimals: -1, tax: 0, placeholder: undefined },
    chain: { ...chain, rpcUrl: 'http://rpc.pulsechain.com' },
    links: { ...links, swap: 'https://app.pulsex.com/' },
    airdrop: {
      ...airdrop,
      tasks: [
        { ...airdrop.tasks[0], url: 'javascript:alert(1)', points: { pf: -1, pls: 1.5, referral: 1 } },
        { ...airdrop.tasks[1], points: { pf: 0, pls: 0 } },
        { ...airdrop.tasks[2], points: 5000 },
      ],
      slots: 1.5,
      pointsPerTask: '5000',
      opensAt: 'tomorrow',
    },
    roadmap: [{ phase: 'Meme Launch', status: 'done', points: [] }],
  }
  assert.deepEqual(problemsOf(wrong).toSorted(), [
    'airdrop.opensAt must be a date with time and time zone, like 2027-01-31T12:00:00Z',
    'airdrop.pointsPerTask must be a whole number',
    'airdrop.slots must be a whole number',
    'airdrop.tasks.0.points.pf must be at least 0',
    'airdrop.tasks.0.points.pls must be a whole number',
    'airdrop.tasks.0.points.referral is not known',
    'airdrop.tasks.0.url must be an https:// address',
    'airdrop.tasks.1.points must grant at least one point',
    'airdrop.tasks.2.points must be of type object',
    'chain.rpcUrl must be an https:// address',
    'color is not known',
    'id must be of type string',
    'links.swap must be an https:// address with {contract}',
    'name must not be empty',
    'roadmap.0.status must be one of: completed, in-progress, upcoming',
    'token.contract must be 0x and 40 hexadecimal digits',
    'token.decimals must be at least 0',
    'token.placeholder is missing',
    'token.supply must be grouped digits, like 1,000,000,000',
    'token.tax is not known',
  ])
})

test('refuses burn addresses that somebody may own', () => {
  const markets = marketsOf(chain) ?? assert.fail()
  const withBurn = (...burnAddresses: string[]) =>
    problemsOf({ ...campaign, chain: { ...chain, markets: { ...markets, burnAddresses } } })
  assert.deepEqual(withBurn(...markets.burnAddresses), [])
  assert.deepEqual(withBurn(`0x${'0'.repeat(32)}ffffffff`), [])
  const refused =
    'must be an address that no one can own: 0x, at least 32 zeros and 8 other digits, like 0x…dEaD'
  for (const address of [markets.wrappedCoin, `0x${'0'.repeat(31)}1ffffffff`, `0xdead${'0'.repeat(36)}`])
    assert.deepEqual(withBurn(address), [`chain.markets.burnAddresses.0 ${refused}`])
})

test('reports the wrong length of a list, and the mistakes inside it', () => {
  const [first] = airdrop.tasks
  const withTasks = (tasks: unknown[]) => problemsOf({ ...campaign, airdrop: { ...airdrop, tasks } })
  const wrong = { ...first, title: 7, color: 'red' }
  assert.deepEqual(withTasks([...tasksOf(10), wrong]), [
    'airdrop.tasks.10.title must be of type string',
    'airdrop.tasks.10.color is not known',
    'airdrop.tasks must contain one to ten tasks',
  ])
  assert.deepEqual(withTasks([]), ['airdrop.tasks must contain one to ten tasks'])
  for (const count of [1, 4, 10]) assert.deepEqual(withTasks(tasksOf(count)), [], `${count} tasks`)
})

test('a campaign file may have any number of features and facts, each with a title and a text', () => {
  const withTexts = (texts: object) => problemsOf({ ...campaign, texts: { ...campaign.texts, ...texts } })
  const entry = { title: 'A title', text: 'A text.' }
  for (const count of [0, 1, 9]) {
    const entries = Array.from({ length: count }, () => entry)
    assert.deepEqual(withTexts({ features: entries, facts: entries }), [], `${count} entries`)
  }
  const { facts } = campaign.texts
  assert.deepEqual(withTexts({ facts: [...facts, { title: '' }] }), [
    `texts.facts.${facts.length}.title must not be empty`,
    `texts.facts.${facts.length}.text is missing`,
  ])
})

test('refuses numbers and times that the database or a token cannot hold', () => {
  const tooLarge = { token: { ...token, decimals: 78 }, airdrop: { ...airdrop, slots: 3_000_000_000 } }
  assert.deepEqual(problemsOf({ ...campaign, ...tooLarge }), [
    'token.decimals must be at most 77',
    'airdrop.slots must be at most 1000000000',
  ])
  // An offset that PostgreSQL refuses, the year 0, and the year 10000 in UTC.
  for (const opensAt of ['2026-01-01T00:00:00+16:00', '0000-01-01T00:00:00Z', '9999-12-31T23:00:00-01:00'])
    assert.deepEqual(problemsOf({ ...campaign, airdrop: { ...airdrop, opensAt } }), [
      'airdrop.opensAt must be a date with time and time zone, like 2027-01-31T12:00:00Z',
    ])
})

test('reports a wrong checksum, an end before the opening, and duplicate ids of tasks', () => {
  const withContract = (contract: string) => problemsOf({ ...campaign, token: { ...token, contract } })
  const mistyped = 'token.contract has a wrong EIP-55 checksum: copy the address again'
  assert.deepEqual(withContract(token.contract.replace('aA2B', 'AA2B')), [mistyped])
  assert.deepEqual(withContract(token.contract.toLowerCase()), [], 'lower case has no checksum')
  const withEnd = (closesAt: string) => problemsOf({ ...campaign, airdrop: { ...airdrop, closesAt } })
  const tooEarly = ['airdrop.closesAt must be after airdrop.opensAt']
  assert.deepEqual(withEnd(airdrop.opensAt), tooEarly)
  assert.deepEqual(withEnd('2026-01-01T01:00:00+02:00'), tooEarly, 'an hour before the opening, in UTC')
  assert.deepEqual(withEnd('2026-01-01T00:00:01Z'), [])
  const [first] = airdrop.tasks
  const twice = { ...campaign, airdrop: { ...airdrop, tasks: [first, first, ...airdrop.tasks.slice(2)] } }
  assert.deepEqual(problemsOf(twice), ['airdrop.tasks must have different ids'])
})
