import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupsOf, SETTING_GROUPS } from './settings.ts'

const LOOK = [
  { path: 'look.accent', value: '#123456' },
  { path: 'look.logo', value: '' },
  { path: 'look', value: {} },
]

test('there is no group Other if every setting has a group or its own screen, as the look has', () => {
  assert.deepEqual(groupsOf([...LOOK, { path: 'name', value: 'A name' }]), SETTING_GROUPS)
})

test('a setting in no group appears under Other, with a field that fits the type of its value', () => {
  const settings = [
    { path: 'new.number', value: 3, input: 'number' },
    { path: 'new.flag', value: false, input: 'flag' },
    { path: 'new.text', value: '', input: 'text' },
    { path: 'new.list', value: [], input: 'json' },
  ]
  const groups = groupsOf([...LOOK, ...settings])
  assert.deepEqual(groups.slice(0, -1), SETTING_GROUPS)
  const { id, fields = [] } = groups.at(-1) ?? {}
  assert.equal(id, 'other')
  assert.deepEqual(
    fields.map(({ path, input }) => ({ path, input })),
    settings.map(({ path, input }) => ({ path, input })),
  )
})
