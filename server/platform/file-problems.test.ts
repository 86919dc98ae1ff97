import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { explainReading, explainWriting } from './file-problems.ts'

test('explains in one line why a file cannot be written or read', async () => {
  const writing = explainWriting('/backups/one', () => writeFile('/dev/full', 'x'))
  const fullDisk = /^Error: \/backups\/one cannot be written: the disk is full\. Make room, or .* disk\.$/
  await assert.rejects(writing, fullDisk)
  const reading = explainReading('/backups', () => readFile('/'))
  await assert.rejects(reading, /^Error: \/backups is a folder\.$/)
})

test('leaves other errors as they are', async () => {
  const error = new Error('The connection was lost.')
  for (const explain of [explainWriting, explainReading])
    await assert.rejects(
      explain('x', () => Promise.reject(error)),
      error,
    )
})
