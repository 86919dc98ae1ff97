import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intlTag, LOCALES } from '#contract/locales.ts'
import { groupedSupply, groupedUnits, unitParts } from './units.ts'

test('groups the whole units and keeps every digit of the fraction', () => {
  assert.equal(groupedUnits(0n, 18), '0')
  assert.equal(groupedUnits(5n, 18), '0.000000000000000005')
  assert.equal(groupedUnits(1_234_500_000n, 6), '1,234.5')
  assert.equal(groupedUnits(123_456_789n, 0), '123,456,789')
  assert.deepEqual(unitParts(10n ** 27n + 1n, 18), {
    whole: '1,000,000,000',
    fraction: '.000000000000000001',
  })
})

test('formats the campaign file’s supply with the separators of the language', () => {
  assert.equal(groupedSupply({ supply: '999' }, 'pt-BR'), '999')
  assert.equal(groupedSupply({ supply: '1,000,000,000' }, 'pt-BR'), '1.000.000.000')
  const beyondNumbers = '123,456,789,012,345,678,901'
  assert.equal(groupedSupply({ supply: beyondNumbers }, 'tr'), beyondNumbers.replaceAll(',', '.'))
})

test('formats amounts in every language with its separators and Latin digits', () => {
  const shown = LOCALES.map((locale) => [locale, groupedUnits(12_345_678_901n, 4, intlTag(locale))])
  assert.deepEqual(Object.fromEntries(shown), {
    en: '1,234,567.8901',
    es: '1,234,567.8901',
    'pt-BR': '1.234.567,8901',
    tr: '1.234.567,8901',
    'zh-Hans': '1,234,567.8901',
    ar: '1,234,567.8901',
  })
})
