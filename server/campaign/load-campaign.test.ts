import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import campaign from '#campaign'
import { checkCampaign, loadCampaign } from './load-campaign.ts'

const { token, airdrop, chain, links } = campaign

/** The lines without the name of the file. */
function problemsOf(value: unknown): string[] {
  const checked = checkCampaign(value, 'file')
  return 'problems' in checked ? checked.problems.map((line) => line.replace(/^file: /, '')) : []
}

async function fileWith(t: TestContext, source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropwright-campaign-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'other.ts'), source)
  return join(folder, 'other.ts')
}

test('loads campaign.config.ts, or the file that is named', async (t) => {
  assert.deepEqual(await loadCampaign(), campaign)
  const other = { ...campaign, id: 'second-airdrop' }
  const file = await fileWith(t, `const id: string = 'x'\nexport default ${JSON.stringify(other)}`)
  assert.deepEqual(await loadCampaign(file), other)
})

test('says in one line why a file cannot be read', async (t) => {
  const broken = {
    'export default {': /could not be read: /,
    'throw new Error("no")': /could not be read: no$/,
  }
  const empty = { 'export const campaign = {}': /the default export is missing$/ }
  for (const [source, expected] of Object.entries({ ...broken, ...empty })) {
    const file = await fileWith(t, source)
    const loaded = await loadCampaign(file)
    assert.ok('problems' in loaded)
    const [line = '', ...others] = loaded.problems
    assert.deepEqual(others, [])
    assert.ok(line.startsWith(file) && !line.includes('\n'), line)
    assert.match(line, expected)
  }
  const missing = await loadCampaign('/nowhere/campaign.ts')
  assert.ok('problems' in missing && missing.problems.length === 1)
})

test('names every mistake on a line of its own, with its path', () => {
  const wrong = {
    ...campaign,
    id: 7,
    name: '',
    colour: 'red',
    token: { ...token, contract: '0x12', supply: '1000000000', decimals: -1, tax: 0, placeholder: undefined },
    chain: { ...chain, rpcUrl: 'http://rpc.pulsechain.com' },
    links: { ...links, swap: 'https://app.pulsex.com/' },
    airdrop: {
      ...airdrop,
      tasks: [{ ...airdrop.tasks[0], url: 'javascript:alert(1)' }, ...airdrop.tasks.slice(1, 3)],
      slots: 1.5,
      pointsPerTask: '5000',
      opensAt: 'tomorrow',
    },
    roadmap: [{ phase: 'Meme Launch', status: 'done', points: [] }],
  }
  assert.deepEqual(problemsOf(wrong).toSorted(), [
    'airdrop.opensAt must be a date with time and zone, as 2027-01-31T12:00:00Z',
    'airdrop.pointsPerTask must be a whole number',
    'airdrop.slots must be a whole number',
    'airdrop.tasks must hold exactly four tasks',
    'airdrop.tasks.0.url must be an https:// address',
    'chain.rpcUrl must be an https:// address',
    'colour is not known',
    'id must be of type string',
    'links.swap must be an https:// address with {contract}',
    'name must not be empty',
    'roadmap.0.status must be one of: completed, in-progress, upcoming',
    'token.contract must be 0x and 40 hexadecimal digits',
    'token.decimals must be at least 0',
    'token.placeholder is missing',
    'token.supply must be grouped digits, as 1,000,000,000',
    'token.tax is not known',
  ])
})

test('finds what contradicts itself', () => {
  const mixed = token.contract.replace('aA2B', 'AA2B')
  assert.match(
    problemsOf({ ...campaign, token: { ...token, contract: mixed } })[0] ?? '',
    /^token\.contract .*checksum/,
  )
  assert.deepEqual(
    problemsOf({ ...campaign, token: { ...token, contract: token.contract.toLowerCase() } }),
    [],
  )
  const ends = (closesAt: string) => problemsOf({ ...campaign, airdrop: { ...airdrop, closesAt } })
  assert.deepEqual(ends(airdrop.opensAt), ['airdrop.closesAt must be after airdrop.opensAt'])
  // One hour later on the clock of a zone that is two hours ahead.
  assert.equal(ends('2026-01-01T01:00:00+02:00').length, 1)
  assert.deepEqual(ends('2026-01-01T00:00:01Z'), [])
  const [first] = airdrop.tasks
  const twice = { ...campaign, airdrop: { ...airdrop, tasks: [first, first, ...airdrop.tasks.slice(2)] } }
  assert.deepEqual(problemsOf(twice), ['airdrop.tasks must have different ids'])
})
