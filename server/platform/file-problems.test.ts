import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { explainReading, explainWriting } from './file-problems.ts'

test('explains in one line why a file cannot be written or read', async () => {
  await assert.rejects(
    explainWriting('/backups/one', () => writeFile('/dev/full', 'x')),
    /^Error: \/backups\/one cannot be written: the disk is full\. Make room, or choose another disk\.$/,
  )
  await assert.rejects(
    explainReading('/backups', () => readFile('/')),
    /^Error: \/backups is a folder\.$/,
  )
})

test('leaves other errors as they are', async () => {
  const error = new Error('The connection was lost.')
  await assert.rejects(
    explainWriting('x', () => Promise.reject(error)),
    error,
  )
  await assert.rejects(
    explainReading('x', () => Promise.reject(error)),
    error,
  )
})
