import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intlTag, LOCALES } from '#contract/locales.ts'
import { listInWords } from './lists.ts'

test('joins a list in the way of each language', () => {
  assert.deepEqual(
    LOCALES.map((locale) => listInWords(['V1', 'V2', 'V3'], intlTag(locale))),
    ['V1, V2, and V3', 'V1, V2 y V3', 'V1, V2 e V3', 'V1, V2 ve V3', 'V1、V2 和 V3', 'V1 وV2 وV3'],
  )
})

test('puts spaces between Chinese and Latin letters or digits', () => {
  assert.equal(listInWords(['20,000 PF 积分', '5 PLS 积分'], 'zh-Hans'), '20,000 PF 积分和 5 PLS 积分')
  assert.equal(listInWords(['买入 1%', '卖出'], 'zh-Hans'), '买入 1% 和卖出')
  assert.equal(listInWords(['买入', '卖出'], 'zh-Hans'), '买入和卖出')
  assert.equal(listInWords(['V1'], 'zh-Hans'), 'V1')
})
