import { createHash } from 'node:crypto'
import type { ClaimStatus } from '#contract/entities.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { toChecksum } from '#server/platform/eip55.ts'

/** The domain of every seeded email; .example is reserved (RFC 2606), so email to it reaches no one. */
export const SEEDED_DOMAIN = 'seeded.example'

export type SeededStatus = Exclude<ClaimStatus, 'held'>

/** A made-up participant; the same number always gives the same one. */
export type FakePerson = Pick<Proof, 'telegram' | 'twitter'> & {
  number: number
  username: string
  email: string
  /** The inviter's place among earlier participants, as a fraction: 0 is the first. */
  inviterFraction: number | undefined
  /** Undefined for someone who has not claimed yet. */
  claimStatus: SeededStatus | undefined
  /** When they joined and claimed, as fractions of the time since the campaign opened. */
  joinedFraction: number
  claimedFraction: number
  decidedAfterHours: number
  /** The host of the page that led them here; undefined if not known. */
  arrivedFrom: string | undefined
}

const FIRST_WORDS =
  'Amber Brisk Calm Dusty Early Fuzzy Golden Happy Inky Jolly Kind Lucky Misty Noble Odd Plucky'.split(' ')
const SECOND_WORDS =
  'Otter Heron Lynx Magpie Newt Osprey Puffin Quail Robin Stoat Tern Urchin Vole Wren Yak Zebu'.split(' ')
/** Between the words of a name, each as often as it is listed. */
const SEPARATORS = ['', '', '.', '_', '-']
/** Hosts that lead people here. Each entry stands for one share of all people. */
const ARRIVALS = [
  ...Array<string>(5).fill('x.com'),
  ...Array<string>(3).fill('telegram.org'),
  'reddit.com',
  'news.example',
]
/** Further shares: people who came from no known host. */
const UNKNOWN_SHARES = 3
const MAIL_HOSTS = ['mail', 'post', 'inbox', 'letters']

/** @param number from 0; people with different numbers have different names and handles. */
export function fakePerson(number: number): FakePerson {
  const fractionAt = fractions(number)
  const [firstWord, secondWord] = [pick(FIRST_WORDS, fractionAt(0)), pick(SECOND_WORDS, fractionAt(1))]
  const suffix = number.toString(36)
  // Digits, so that no two names look alike: a base-36 suffix could end in l or in 1.
  const username = `${firstWord}${pick(SEPARATORS, fractionAt(2))}${secondWord}${number}`
  const joinedFraction = fractionAt(3)
  return {
    number,
    username,
    email:
      `${firstWord}.${secondWord}${suffix}@${pick(MAIL_HOSTS, fractionAt(4))}.${SEEDED_DOMAIN}`.toLowerCase(),
    // 40 % were invited, most of them by the same few.
    inviterFraction: fractionAt(5) < 0.4 ? fractionAt(6) ** 3 : undefined,
    claimStatus: claimStatusOf(fractionAt(7)),
    telegram: `${firstWord}_${secondWord}_${suffix}`,
    twitter: `${secondWord}_${suffix}`,
    joinedFraction,
    claimedFraction: joinedFraction + (1 - joinedFraction) * fractionAt(8),
    // Half of the decisions take less than nine hours, the slowest three days.
    decidedAfterHours: 0.2 + 70 * fractionAt(9) ** 3,
    // A digest has ten fractions, so the last one is used twice.
    arrivedFrom: ARRIVALS[Math.floor(fractionAt(9) * (ARRIVALS.length + UNKNOWN_SHARES))],
  }
}

function claimStatusOf(chance: number): SeededStatus | undefined {
  if (chance < 0.45) return 'approved'
  if (chance < 0.65) return 'under_review'
  if (chance < 0.72) return 'submitted'
  return chance < 0.77 ? 'rejected' : undefined
}

/** A claimant's wallet. Not in {@link fakePerson}: many people have no claim, and checksums are slow. */
export const walletOf = (number: number): string =>
  toChecksum(`0x${digest(`wallet ${number}`).toString('hex', 0, 20)}`)

/** Ten fractions from 0 to 1, evenly distributed and derived from the number alone. */
function fractions(number: number): (index: number) => number {
  const bytes = digest(`person ${number}`)
  return (index) => bytes.readUIntBE(index * 3, 3) / 2 ** 24
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const pick = (list: readonly string[], chance: number) => list[Math.floor(chance * list.length)] ?? ''
