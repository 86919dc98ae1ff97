import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minHashBands, comparableWords, jaccardSimilarity, NEAR_DUPLICATE } from './text-similarity.ts'

const SAID = 'This is the one token of my pocket that I will hold until the very end of the year'

test('ignores links, mentions and hashtags', () => {
  const words = comparableWords(`@PocketFuturePF ${SAID}! 🚀🚀 #PocketFuture #PulseChain https://t.co/aBc123`)
  assert.equal(words, SAID.toLowerCase())
  assert.equal(
    comparableWords('ＴＨＩＳ is the ONE token of my pocket'),
    'this is the one token of my pocket',
  )
})

test('returns undefined for texts too short to compare', () => {
  for (const text of [
    '',
    '#PocketFuture #PulseChain',
    'To the moon! 🚀',
    '@a @b @c https://x.com/a/status/1',
  ])
    assert.equal(comparableWords(text), undefined, text)
})

test('keeps other scripts and removes what the database rejects', () => {
  assert.equal(comparableWords('Это лучший токен моего кармана!'), 'это лучший токен моего кармана')
  assert.equal(
    comparableWords(`${'😀\0\uD800'.repeat(50)} words of my own, at last`),
    'words of my own at last',
  )
})

test('rates small changes as near-duplicates, other sentences as different', () => {
  const like = (other: string) => jaccardSimilarity(SAID.toLowerCase(), comparableWords(other) ?? '')
  assert.equal(like(SAID), 1)
  assert.ok(like(SAID.replace('token', 'coin')) >= NEAR_DUPLICATE)
  assert.ok(like(`${SAID} lol`) >= NEAR_DUPLICATE)
  assert.ok(like('I bought some this morning because my neighbor would not stop talking about it') < 0.2)
  assert.ok(
    like('This is the one project that the whole of PulseChain was waiting for all along') < NEAR_DUPLICATE,
  )
})

test('near-duplicates share a band, other texts hardly ever do', () => {
  const shares = (a: string, b: string) =>
    new Set(minHashBands(a)).intersection(new Set(minHashBands(b))).size > 0
  const words = (seed: number) =>
    Array.from({ length: 14 }, (_, at) => ((seed * 7919 + at * 104_729) % 99_991).toString(36)).join(' ')
  let strangers = 0
  for (let seed = 1; seed <= 300; seed += 1) {
    const text = words(seed)
    assert.ok(shares(text, text))
    assert.ok(shares(text, text.replace(/ \w+ /, ' pocket ')), text)
    if (shares(text, words(seed + 1000))) strangers += 1
  }
  assert.ok(strangers <= 3, `${strangers} of 300`)
  assert.ok(minHashBands(words(1)).every((band) => Number.isInteger(band) && Math.abs(band) <= 2 ** 31))
})
