import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { CHALLENGE_HEADER, type Challenge } from '#contract/protocol/challenge.ts'

/** Uses the protocol's reference solver. @returns the header for the retry. */
export async function solve(challenge: Challenge): Promise<Record<string, string>> {
  // No counter is less than half of the bound (challenge.ts). A person's solver begins at 0.
  const counterStart = Math.floor(challenge.parameters.data.counterBelow / 2)
  const solution = await solveChallenge({ challenge, deriveKey, counterStart, timeout: 0 })
  return { [CHALLENGE_HEADER]: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64') }
}
