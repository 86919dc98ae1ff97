import type { Challenge } from '#contract/protocol/challenge.ts'
import solverUrl from './solver.worker.ts?worker&url'
import type { ProofOfWork } from './proof-of-work.ts'

/** @returns the value of the header X-Challenge. @throws if no solution is found, or if the form was left. */
export async function solve(challenge: Challenge, work: ProofOfWork): Promise<string> {
  // The form may have been left during the call or while this module was loading.
  work.controller.signal.throwIfAborted()
  work.onProgress(0)
  try {
    return await inWorker(challenge, work).catch(() => onMainThread(challenge, work))
  } finally {
    work.onProgress(undefined)
  }
}

function inWorker(
  challenge: Challenge,
  { onProgress, controller: { signal } }: ProofOfWork,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(scriptUrl(), { type: 'module' })
    signal.addEventListener('abort', () => {
      worker.terminate()
      reject(signal.reason as Error)
    })
    worker.addEventListener('error', reject)
    // The worker sends its progress as numbers, and then the solution, or null if it has found none.
    worker.addEventListener('message', ({ data }: MessageEvent<number | string | null>) => {
      if (typeof data === 'number') return onProgress(data)
      worker.terminate()
      if (data === null) reject(new Error('The worker could not solve the challenge.'))
      else resolve(data)
    })
    worker.postMessage(challenge)
  })
}

/** For browsers without workers. Also called when the form was left, and then throws at once. */
async function onMainThread(challenge: Challenge, { onProgress, controller }: ProofOfWork): Promise<string> {
  controller.signal.throwIfAborted()
  const { findSolution } = await import('./find-solution.ts')
  const solution = await findSolution(challenge, onProgress, controller)
  if (solution === null) throw new Error('The form was left.')
  return solution
}

type Policy = { createScriptURL: (input: string) => URL }
type TrustedTypes = { createPolicy: (name: string, rules: { createScriptURL: () => string }) => Policy }
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/**
 * Trusted Types forbid plain strings as script URLs. This policy returns one URL, whatever its input, as a
 * TrustedScriptURL, which the types of `Worker` lack.
 */
const policy = trustedTypes?.createPolicy('solver', { createScriptURL: () => solverUrl })

const scriptUrl = () => policy?.createScriptURL('') ?? solverUrl
