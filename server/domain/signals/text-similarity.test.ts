import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparableWords, jaccardSimilarity, minHashBands, MIN_SIMILARITY } from './text-similarity.ts'

const SAID = 'This is the one token of my pocket that I will hold until the very end of the year'

test('ignores links, mentions, hashtags, case and wide letters', () => {
  const words = comparableWords(`@PocketFuturePF ${SAID}! 🚀🚀 #PocketFuture #PulseChain https://t.co/aBc123`)
  assert.equal(words, SAID.toLowerCase())
  const wide = comparableWords('ＴＨＩＳ is the ONE token of my pocket')
  assert.equal(wide, 'this is the one token of my pocket')
})

test('returns undefined for texts too short to compare', () => {
  const texts = ['', '#PocketFuture #PulseChain', 'To the moon! 🚀', '@a @b @c https://x.com/a/status/1']
  for (const text of texts) assert.equal(comparableWords(text), undefined, text)
})

test('keeps other scripts and removes what the database rejects', () => {
  assert.equal(comparableWords('Это лучший токен моего кармана!'), 'это лучший токен моего кармана')
  const cleaned = comparableWords(`${'😀\0\uD800'.repeat(50)} words of my own, at last`)
  assert.equal(cleaned, 'words of my own at last')
  // Cutting this text at the maximum length divides a surrogate pair.
  assert.ok(comparableWords(`a${'\u{10428}'.repeat(400)}`)?.isWellFormed())
})

test('rates small changes as near-duplicates and other sentences as different', () => {
  const similarityTo = (text: string) => jaccardSimilarity(SAID.toLowerCase(), comparableWords(text) ?? '')
  assert.equal(similarityTo(SAID), 1)
  assert.ok(similarityTo(SAID.replace('token', 'coin')) >= MIN_SIMILARITY)
  assert.ok(similarityTo(`${SAID} lol`) >= MIN_SIMILARITY)
  const unlike = 'I bought some this morning because my neighbor would not stop talking about it'
  assert.ok(similarityTo(unlike) < 0.2)
  const sameStart = 'This is the one project that the whole of PulseChain was waiting for all along'
  assert.ok(similarityTo(sameStart) < MIN_SIMILARITY)
})

test('near-duplicates share a band, and other texts hardly ever share one', () => {
  const shareBand = (a: string, b: string) =>
    !new Set(minHashBands(a)).isDisjointFrom(new Set(minHashBands(b)))
  // The numbers are primes, so that the texts have hardly any words in common.
  const wordOf = (seed: number, index: number) => ((seed * 7919 + index * 104_729) % 99_991).toString(36)
  const textOf = (seed: number) => Array.from({ length: 14 }, (_, index) => wordOf(seed, index)).join(' ')
  let matchesByChance = 0
  for (let seed = 1; seed <= 300; seed += 1) {
    const text = textOf(seed)
    assert.ok(shareBand(text, text))
    assert.ok(shareBand(text, text.replace(/ \w+ /, ' pocket ')), text)
    if (shareBand(text, textOf(seed + 1000))) matchesByChance += 1
  }
  assert.ok(matchesByChance <= 3, `${matchesByChance} of 300 pairs of different texts share a band`)
  assert.ok(minHashBands(textOf(1)).every((band) => Number.isInteger(band) && Math.abs(band) <= 2 ** 31))
})
