import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Setting } from '#contract/dashboard/settings.ts'
import { groupsOf } from './settings.ts'

const setting = (path: string, value: unknown): Setting => ({
  path,
  value,
  source: 'file',
  fileValue: value,
  languages: [],
  changedAt: null,
  changedBy: null,
  promise: null,
})

test('a setting that is in no group comes under Other, and the look stays on its own screen', () => {
  const pathsUnderOther = (settings: Setting[]) =>
    groupsOf(settings).flatMap(({ id, fields }) => (id === 'other' ? fields.map(({ path }) => path) : []))
  const look = [setting('look.accent', '#123456'), setting('look.logo', ''), setting('look', {})]
  assert.deepEqual(pathsUnderOther([...look, setting('name', 'A name')]), [])
  assert.deepEqual(pathsUnderOther([...look, setting('airdrop.somethingNew', 3)]), ['airdrop.somethingNew'])
})
