import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SETTING_GROUPS } from '#messages/dashboard-settings.js'
import { findNamesLeft } from './names-left.ts'

const FILE = {
  'token.name': 'Pocket Future',
  'token.symbol': 'PF',
  'token.description': 'Pocket Future fits in a pocket.',
  'texts.airdropRules': ['One each.\nPF is a token.', 'PFs are not'],
  'links.swap': 'https://swap.example/{contract}',
}
const TOKEN = SETTING_GROUPS.token.title
const RULES = SETTING_GROUPS.texts.title

const findAfter = (changes: Record<string, unknown>) =>
  findNamesLeft(
    Object.entries(FILE).map(([path, fileValue]) => ({
      path,
      fileValue,
      value: Object.hasOwn(changes, path) ? changes[path] : fileValue,
    })),
  )

test('no former name is left if the token has the names of the campaign file', () => {
  assert.deepEqual(findAfter({}), { names: [], groups: [] })
  assert.deepEqual(findAfter({ 'token.description': 'PF' }), { names: [], groups: [] })
})

test('a former name is left only in texts that have it as a word', () => {
  assert.deepEqual(findAfter({ 'token.name': 'Lantern' }), { names: ['Pocket Future'], groups: [TOKEN] })
  assert.deepEqual(findAfter({ 'token.symbol': 'LNT' }), { names: ['PF'], groups: [RULES] })
  const both = { 'token.name': 'Lantern', 'token.symbol': 'LNT' }
  assert.deepEqual(findAfter(both), { names: ['Pocket Future', 'PF'], groups: [TOKEN, RULES] })
  const reworded = { ...both, 'texts.airdropRules': ['PFs are not'] }
  assert.deepEqual(findAfter(reworded), { names: ['Pocket Future'], groups: [TOKEN] })
})

test('in a text with the new name, a former name that is a part of the new one is not left', () => {
  const renamed = { 'token.name': 'Pocket Future Gold' }
  const reworded = { ...renamed, 'token.description': 'Pocket Future Gold, for pockets.' }
  assert.deepEqual(findAfter(renamed), { names: ['Pocket Future'], groups: [TOKEN] })
  assert.deepEqual(findAfter(reworded), { names: [], groups: [] })
})
