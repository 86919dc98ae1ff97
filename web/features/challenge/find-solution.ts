import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { solveChallenge } from 'altcha-lib'
import { deriveKey as deriveByWebCrypto } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from '#contract/protocol/challenge.ts'

type Derive = typeof deriveByWebCrypto

/** How long the solver works before it lets other tasks run. */
const SLICE_MS = 30

/** @param onProgress gets 0 to 1. @returns the header X-Challenge; null if `controller` is aborted. */
export async function findSolution(
  challenge: Challenge,
  onProgress: (progress: number) => void,
  controller = new AbortController(),
): Promise<string | null> {
  // Undefined on pages served over plain http.
  const { subtle } = crypto as Partial<Crypto>
  const derive = subtle ? deriveByWebCrypto : deriveInScript
  let attempts = 0
  let yieldedAt = performance.now()
  const deriveKey: Derive = async (parameters, salt, password) => {
    if (performance.now() - yieldedAt > SLICE_MS) {
      onProgress(Math.min(attempts / challenge.parameters.data.counterBelow, 1))
      await yieldToEventLoop()
      yieldedAt = performance.now()
    }
    attempts += 1
    return derive(parameters, salt, password)
  }
  // A timeout of 0 means none: only `controller` ends the search early.
  const solution = await solveChallenge({ challenge, deriveKey, controller, timeout: 0 })
  return solution && btoa(JSON.stringify({ challenge, solution }))
}

const deriveInScript: Derive = async ({ cost, keyLength }, salt, password) => ({
  derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }),
})

const yieldToEventLoop = () => new Promise((resolve) => setTimeout(resolve))
