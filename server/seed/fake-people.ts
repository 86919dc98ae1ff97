import { createHash } from 'node:crypto'
import { toChecksum } from '../platform/eip55.ts'

/** The end of every seeded e-mail. Below .example nobody can have an address (RFC 2606), so no mail ever arrives. */
export const SEEDED_DOMAIN = 'seeded.example'

export type ClaimStatus = 'submitted' | 'under_review' | 'approved' | 'rejected'

/** Somebody who does not exist. The same number is always the same person. */
export type FakePerson = {
  username: string
  email: string
  /** Who of the earlier ones invited them, as a fraction of their row: 0 is the first. */
  invitedBy: number | undefined
  /** Undefined: has not claimed yet. */
  claim: ClaimStatus | undefined
  wallet: string
  telegram: string
  twitter: string
  /** Fractions of the time since the campaign opened, in which they joined and claimed. */
  joinedAt: number
  claimedAt: number
}

const FIRST =
  'Amber Brisk Calm Dusty Early Fuzzy Golden Happy Inky Jolly Kind Lucky Misty Noble Odd Plucky'.split(' ')
const SECOND =
  'Otter Heron Lynx Magpie Newt Osprey Puffin Quail Robin Stoat Tern Urchin Vole Wren Yak Zebu'.split(' ')
const JOINTS = ['', '', '.', '_', '-']
const HOSTS = ['mail', 'post', 'inbox', 'letters']

/** @param number from 0; makes names, handles and wallet unlike those of every other number. */
export function fakePerson(number: number): FakePerson {
  const at = chances(number)
  const [first, second] = [pick(FIRST, at(0)), pick(SECOND, at(1))]
  const tail = number.toString(36)
  // Digits, so that no two names look alike: a tail of letters could end in l or in 1.
  const username = `${first}${pick(JOINTS, at(2))}${second}${number}`
  const joinedAt = at(3)
  return {
    username,
    email: `${first}.${second}${tail}@${pick(HOSTS, at(4))}.${SEEDED_DOMAIN}`.toLowerCase(),
    // Four in ten were invited, most of them by the same few.
    invitedBy: at(5) < 0.4 ? at(6) ** 3 : undefined,
    claim: claimOf(at(7)),
    wallet: walletOf(number),
    telegram: `${first}_${second}_${tail}`,
    twitter: `${second}_${tail}`,
    joinedAt,
    claimedAt: joinedAt + (1 - joinedAt) * at(8),
  }
}

function claimOf(chance: number): ClaimStatus | undefined {
  if (chance < 0.45) return 'approved'
  if (chance < 0.65) return 'under_review'
  if (chance < 0.72) return 'submitted'
  return chance < 0.77 ? 'rejected' : undefined
}

const walletOf = (number: number) => toChecksum(`0x${digest(`wallet ${number}`).toString('hex', 0, 20)}`)

/** Fractions of one, evenly spread, that depend on the number and nothing else. */
function chances(number: number): (index: number) => number {
  const bytes = digest(`person ${number}`)
  return (index) => bytes.readUIntBE(index * 3, 3) / 2 ** 24
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const pick = (list: readonly string[], chance: number) => list[Math.floor(chance * list.length)] ?? ''
