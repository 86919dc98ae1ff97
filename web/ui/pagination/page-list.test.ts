import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageList } from './page-list.ts'

const listText = (current: number, total: number) =>
  pageList(current, total)
    .map((item) => (typeof item === 'number' ? item : '…'))
    .join(' ')

test('shows up to seven pages without gaps', () => {
  assert.equal(listText(1, 1), '1')
  assert.equal(listText(4, 7), '1 2 3 4 5 6 7')
})

test('shows gaps among more than seven pages', () => {
  assert.equal(listText(1, 8), '1 2 3 4 5 … 8')
  assert.equal(listText(4, 20), '1 2 3 4 5 … 20')
  assert.equal(listText(5, 20), '1 … 4 5 6 … 20')
  assert.equal(listText(16, 20), '1 … 15 16 17 … 20')
  assert.equal(listText(17, 20), '1 … 16 17 18 19 20')
  assert.equal(listText(20, 20), '1 … 16 17 18 19 20')
})

test('lists the first, the last, the current and its neighboring pages, each only once', () => {
  for (let total = 1; total <= 30; total += 1)
    for (let current = 1; current <= total; current += 1) {
      const pages = pageList(current, total).filter((item) => typeof item === 'number')
      assert.equal(new Set(pages).size, pages.length)
      const needed = [1, current - 1, current, current + 1, total].filter((page) => page > 0 && page <= total)
      for (const page of needed) assert(pages.includes(page), `${page} is missing at ${current} of ${total}`)
    }
})
