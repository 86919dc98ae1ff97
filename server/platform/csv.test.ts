import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, csvRow } from './csv.ts'

test('quotes what needs it, and keeps text from being run as a formula', () => {
  const fields = new Map<Cell, string>([
    ['plain', 'plain'],
    [-3, '-3'],
    [null, ''],
    ['a, "b"\nc', '"a, ""b""\nc"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-name', "'-name"],
    ['@sum', "'@sum"],
    ['\t=1', "'\t=1"],
    ['\r\n=1', `"'\r\n=1"`],
    ["it's", "it's"],
  ])
  assert.equal(csvRow([...fields.keys()]), `${[...fields.values()].join(',')}\r\n`)
})
