import assert from 'node:assert/strict'
import { test } from 'node:test'
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
const slow = { page: 'first', ratio: { value: 2, mark: { atMost: 1.5 }, whyMissed: 'One | reason.' } }

test('replaces only the text between the marks of the page, also when repeated', () => {
  const { page } = renderPage(PAGE, [record('board', slow)])
  for (const kept of [
    'Ours.\n\n<!-- marks -->',
    '<!-- /marks -->\n\nTheirs.\n\n<!-- board -->',
    '<!-- /board -->\n\nEnd.\n',
  ])
    assert.ok(page.includes(kept), kept)
  assert.ok(!page.includes('old'))
  assert.equal(renderPage(page, [record('board', slow)]).page, page)
})

test('the table of all marks lists a missed one with its reason', () => {
  const { page, images } = renderPage(PAGE, [record('board', slow)])
  assert.match(page, /^0 of 1 marks are met\.$/m)
  assert.ok(page.includes('| board | first | ratio | 2 (≤ 1.50 missed) | One \\| reason. |'))
  assert.ok(images.has('marks'))
})

test('a benchmark without a place on the page gets one at its end', () => {
  const { page } = renderPage(PAGE, [record('claims', slow)])
  assert.match(page, /End\.\n[^]*## Claims\n\n<!-- claims -->\n\n\*\*Title of claims\*\*/)
})

test('growth is drawn relative to the smallest campaign', () => {
  const figures = [
    [10_000, 4],
    [1_000_000, 6],
  ] as const
  const { page, images } = renderPage(PAGE, [
    record('board', growthRow({ what: 'rank', better: 'less', figures })),
  ])
  assert.ok(page.includes('(images/performance/board-growth-1.svg)'))
  assert.match(images.get('board-growth-1') ?? '', /rank: 1 at 10 k, 1.50 at 1 M/)
})
