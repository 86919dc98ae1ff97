import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRow } from './csv.ts'

test('quotes what needs it, and keeps text from being run as a formula', () => {
  const cells = ['plain', -3, null, 'a, "b"\nc', '=1+1', '+1', '-name', '@sum', '\t=1', '\r\n=1', "it's"]
  const fields = [
    'plain',
    '-3',
    '',
    '"a, ""b""\nc"',
    "'=1+1",
    "'+1",
    "'-name",
    "'@sum",
    "'\t=1",
    `"'\r\n=1"`,
    "it's",
  ]
  assert.equal(csvRow(cells), `${fields.join(',')}\r\n`)
})
