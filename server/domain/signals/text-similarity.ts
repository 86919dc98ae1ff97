/** Characters of a text that are compared as a unit: enough to keep word order, few enough for typos. */
const SHINGLE_LENGTH = 4
/** Shorter texts match by chance. */
const MIN_LENGTH = 20
/** Longer texts are cut, which bounds the work. */
const MAX_LENGTH = 600

/**
 * A post's words for comparison: without links, mentions and hashtags, which the task asks for, and without
 * case, punctuation and emoji. Undefined if too little is left to compare.
 */
export function comparableWords(text: string): string | undefined {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[@#][\p{L}\p{M}\p{N}_]+/gu, ' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
    .toWellFormed()
  return words.length >= MIN_LENGTH ? words : undefined
}

/** Compares the texts' shingles. @returns 0 to 1. */
export function jaccardSimilarity(a: string, b: string): number {
  const [left, right] = [shinglesOf(a), shinglesOf(b)]
  const common = left.intersection(right).size
  return common / (left.size + right.size - common)
}

function shinglesOf(words: string): Set<string> {
  const count = Math.max(1, words.length - SHINGLE_LENGTH + 1)
  return new Set(Array.from({ length: count }, (_, start) => words.slice(start, start + SHINGLE_LENGTH)))
}

/** Texts this similar differ in one word of a sentence or in a few letters. */
export const MIN_SIMILARITY = 0.75

const BANDS = 12
const ROWS_PER_BAND = 3

/**
 * The MinHash LSH bands of a text, for an index. Near-duplicates share a band, except a few in a thousand
 * pairs. Each is computed from its place, too, so that it matches no band at another place.
 */
export function minHashBands(words: string): number[] {
  const hashes = Array.from(shinglesOf(words), hash)
  const minima = SEEDS.map((seed) => Math.min(...hashes.map((value) => mix(value ^ seed) >>> 0)))
  return Array.from({ length: BANDS }, (_, band) =>
    minima
      .slice(band * ROWS_PER_BAND, (band + 1) * ROWS_PER_BAND)
      .reduce((combined, minimum) => mix(combined ^ minimum), mix(band + 1)),
  )
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01_00_01_93)
  return value
}

/** The finalizer of MurmurHash3: a permutation of the 32-bit numbers. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85_eb_ca_6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35)
  return mixed ^ (mixed >>> 16)
}

/** Any distinct numbers, but they must never change: stored bands depend on them. */
const SEEDS = Array.from({ length: BANDS * ROWS_PER_BAND }, (_, index) => mix(index + 0x9e_37))
