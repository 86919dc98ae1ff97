import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BENCHMARKS } from './benchmarks.ts'
import { renderPage } from './performance-page.ts'
import type { BenchmarkRecord } from './record.ts'
import { growthRow, type Row } from './report.ts'

function record(name: string, ...rows: Row[]): BenchmarkRecord {
  return {
    name,
    at: '2026-01-02T03:04:05.000Z',
    seconds: 30,
    quick: false,
    seed: 1,
    machine: { cpu: 'cpu', cores: 2, memoryGb: 4, kernel: 'Linux' },
    versions: { node: 'v24', postgresql: '18', commit: 'abc' },
    reports: [{ title: `Title of ${name}`, rows, notes: ['Note.'] }],
  }
}

const PAGE =
  'Ours.\n\n<!-- marks -->\nold\n<!-- /marks -->\n\nTheirs.\n\n<!-- board -->\nold\n<!-- /board -->\n\nEnd.\n'
const missedRow = { page: 'first', ratio: { value: 2, mark: { atMost: 1.5 }, whyMissed: 'One | reason.' } }

test('rendering replaces only the text between the comments of the page, and rendering twice changes nothing', () => {
  const { page } = renderPage(PAGE, [record('board', missedRow)])
  const withoutParts = page.replaceAll(/(?<=<!-- (\w+) -->)[^]*?(?=<!-- \/\1 -->)/g, '')
  assert.equal(withoutParts, PAGE.replaceAll('\nold\n', ''))
  assert.ok(!page.includes('old'))
  assert.equal(renderPage(page, [record('board', missedRow)]).page, page)
})

test('the table of all marks lists a missed mark with its reason', () => {
  const { page, images } = renderPage(PAGE, [record('board', missedRow)])
  assert.match(page, /^0 of 1 marks are met\.$/m)
  assert.ok(page.includes('| board | first | ratio | 2 (≤ 1.50 missed) | One \\| reason. |'))
  assert.ok(images.has('marks'))
})

test('a benchmark without a part gets a part at the end of the page', () => {
  const { page } = renderPage(PAGE, [record('claims', missedRow)])
  assert.match(page, /End\.\n[^]*## Claims\n\n<!-- claims -->\n\n\*\*Title of claims\*\*/)
})

test('the plot of growth is relative to the smallest campaign', () => {
  const figures = [
    [10_000, 4],
    [1_000_000, 6],
  ] as const
  const { page, images } = renderPage(PAGE, [record('board', growthRow('rank', figures))])
  assert.ok(page.includes('(images/performance/board-growth-1.svg)'))
  assert.match(images.get('board-growth-1') ?? '', /rank: 1 at 10 k, 1.50 at 1 M/)
})

const metRow = { page: 'first', ratio: { value: 1, mark: { atMost: 1.5 } } }
const recordAt = (name: string, commit: string, ...rows: Row[]): BenchmarkRecord => {
  const base = record(name, ...rows)
  return { ...base, versions: { ...base.versions, commit } }
}
/** A page with results of all benchmarks. `board` and `claims` have a met and a missed mark each. */
const wholePage = () =>
  renderPage(
    '<!-- machine -->\n<!-- /machine -->\n\n<!-- marks -->\n<!-- /marks -->\n',
    Object.keys(BENCHMARKS).map((name) =>
      recordAt(name, 'old', ...(['board', 'claims'].includes(name) ? [missedRow, metRow] : [])),
    ),
  ).page
const partNamed = (page: string, name: string) =>
  page.slice(page.indexOf(`<!-- ${name} -->`), page.indexOf(`<!-- /${name} -->`))

test('a run of some benchmarks replaces only their rows and parts', () => {
  const before = wholePage()
  const { page, images } = renderPage(before, [recordAt('claims', 'new', metRow)])
  const rows = partNamed(page, 'marks').match(/^\| (board|claims) .*$/gm)
  assert.deepEqual(rows, [
    '| board | first | ratio | 2 (≤ 1.50 missed) | One \\| reason. |',
    '| board | first | ratio | 1 (≤ 1.50 met) |  |',
    '| claims | first | ratio | 1 (≤ 1.50 met) |  |',
  ])
  assert.match(before, /^2 of 4 marks are met\.$/m)
  assert.match(page, /^2 of 3 marks are met\.$/m)
  assert.match(
    images.get('marks') ?? '',
    /board: first, ratio: 2 \(≤ 1\.50 missed\); .*claims: first, ratio: 1 /,
  )
  assert.deepEqual([...images.keys()], ['marks'])
  assert.match(partNamed(page, 'claims'), /Measured on 2026-01-02 at new\./)
  for (const name of ['machine', ...Object.keys(BENCHMARKS)].filter((other) => other !== 'claims'))
    assert.equal(partNamed(page, name), partNamed(before, name), name)
})

test('the rows of a benchmark without marks are removed, and new rows are inserted in running order', () => {
  const without = renderPage(wholePage(), [recordAt('claims', 'new')]).page
  assert.match(without, /^1 of 2 marks are met\.$/m)
  assert.ok(!partNamed(without, 'marks').includes('| claims |'))
  const { page } = renderPage(without, [recordAt('answers', 'new', metRow)])
  const named = partNamed(page, 'marks').match(/(?<=^\| )(answers|board|claims)/gm)
  assert.deepEqual(named, ['answers', 'board', 'board'])
})

test('the part of a benchmark names its machine if it differs from the machine of the page', () => {
  const claims = recordAt('claims', 'new', metRow)
  const { page } = renderPage(wholePage(), [{ ...claims, machine: { ...claims.machine, cores: 8 } }])
  assert.match(
    partNamed(page, 'claims'),
    /at new, not on the machine above \(processor cpu, 8 cores; memory 4 GB; kernel Linux; Node, PostgreSQL v24, 18\)\./,
  )
  assert.match(partNamed(page, 'machine'), /cpu, 2 cores/)
})
