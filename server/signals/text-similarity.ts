/** Characters of a shingle: long enough to keep the order of words, short enough to forgive a typo. */
const SHINGLE = 4
/** Shorter texts are alike by chance. */
const SHORTEST = 20
const LONGEST = 600

/**
 * The words of a post as they are compared: without links, mentions and hashtags, which the task itself asks
 * for; without case, punctuation and emoji. Undefined when too little is left to tell people apart by.
 */
export function comparableWords(text: string): string | undefined {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[@#][\p{L}\p{M}\p{N}_]+/gu, ' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed()
  return words.length >= SHORTEST ? words : undefined
}

function shinglesOf(words: string): Set<string> {
  const count = Math.max(1, words.length - SHINGLE + 1)
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE)))
}

/** From 0, nothing in common, to 1, the same: common shingles over all shingles. */
export function jaccardSimilarity(a: string, b: string): number {
  const [mine, theirs] = [shinglesOf(a), shinglesOf(b)]
  const common = mine.intersection(theirs).size
  return common / (mine.size + theirs.size - common)
}

/** Texts this alike count as nearly the same: one word of a sentence replaced, or a few letters. */
export const NEAR_DUPLICATE = 0.75

const BANDS = 12
const ROWS = 3

/**
 * Numbers of which texts that are nearly the same share at least one (all but a few pairs in a thousand), so that
 * an index finds them among all others: MinHash of the shingles, in bands.
 */
export function minHashBands(words: string): number[] {
  const hashes = Array.from(shinglesOf(words), hash)
  const minima = SEEDS.map((seed) =>
    hashes.reduce((least, one) => Math.min(least, mix(one ^ seed) >>> 0), 0xff_ff_ff_ff),
  )
  return Array.from({ length: BANDS }, (_, band) =>
    minima.slice(band * ROWS, band * ROWS + ROWS).reduce((all, one) => mix(all ^ one), mix(band + 1)),
  )
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93)
  return value
}

/** The finaliser of MurmurHash3: a permutation of the 32-bit numbers. */
function mix(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35)
  return mixed ^ (mixed >>> 16)
}

const SEEDS = Array.from({ length: BANDS * ROWS }, (_, index) => mix(index + 0x9e_37))
