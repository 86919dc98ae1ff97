import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Setting } from '#contract/dashboard/settings.ts'
import { groupsOf, SETTING_GROUPS } from './settings.ts'

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

const LOOK = [setting('look.accent', '#123456'), setting('look.logo', ''), setting('look', {})]

test('there is no group Other if every setting is in a group or, like the look, on its own screen', () => {
  assert.deepEqual(groupsOf([...LOOK, setting('name', 'A name')]), SETTING_GROUPS)
})

test('a setting that is in no group comes under Other, edited by the kind of its value', () => {
  const settings = [setting('new.number', 3), setting('new.flag', false), setting('new.text', '')]
  const groups = groupsOf([...LOOK, ...settings, setting('new.list', [])])
  assert.deepEqual(groups.slice(0, -1), SETTING_GROUPS)
  const { id, fields = [] } = groups.at(-1) ?? {}
  assert.equal(id, 'other')
  assert.deepEqual(
    fields.map(({ path, input }) => ({ path, input })),
    [
      { path: 'new.number', input: 'number' },
      { path: 'new.flag', input: 'flag' },
      { path: 'new.text', input: 'text' },
      { path: 'new.list', input: 'json' },
    ],
  )
})
