import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageList } from './page-list.ts'

const shown = (current: number, total: number) =>
  pageList(current, total)
    .map((slot) => (typeof slot === 'number' ? slot : '…'))
    .join(' ')

test('shows up to seven pages without gaps', () => {
  assert.equal(shown(1, 1), '1')
  assert.equal(shown(4, 7), '1 2 3 4 5 6 7')
})

test('shows the first pages, those around the current one and the last one of more than seven', () => {
  assert.equal(shown(1, 8), '1 2 3 4 5 … 8')
  assert.equal(shown(4, 20), '1 2 3 4 5 … 20')
  assert.equal(shown(5, 20), '1 … 4 5 6 … 20')
  assert.equal(shown(16, 20), '1 … 15 16 17 … 20')
  assert.equal(shown(17, 20), '1 … 16 17 18 19 20')
  assert.equal(shown(20, 20), '1 … 16 17 18 19 20')
})

test('reaches every page from its neighbors and lists none twice', () => {
  for (let total = 1; total <= 30; total += 1)
    for (let current = 1; current <= total; current += 1) {
      const pages = pageList(current, total).filter((slot) => typeof slot === 'number')
      assert.equal(new Set(pages).size, pages.length)
      for (const needed of [1, current - 1, current, current + 1, total])
        if (needed >= 1 && needed <= total) assert(pages.includes(needed), `${needed} of ${current}/${total}`)
    }
})
