import type { Challenge } from '#contract/protocol/challenge.ts'
import { publishProgress } from './work-progress.tsx'
import solverUrl from './solver.worker.ts?worker&url'

/**
 * Solves a challenge in a worker, or in slices on the main thread where workers are unavailable, and
 * publishes the progress with the controller that aborts the work.
 * @returns the value of X-Challenge; never resolves once aborted. @throws if it cannot be solved.
 */
export async function solve(challenge: Challenge): Promise<string> {
  const controller = new AbortController()
  const onProgress = (progress: number) => {
    if (!controller.signal.aborted) publishProgress({ progress, controller })
  }
  onProgress(0)
  try {
    const job = { challenge, onProgress, controller }
    return await inWorker(job).catch(() => onMainThread(job))
  } finally {
    publishProgress(undefined)
  }
}

type Job = { challenge: Challenge; onProgress: (progress: number) => void; controller: AbortController }

function inWorker({ challenge, onProgress, controller: { signal } }: Job): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(scriptUrl(), { type: 'module' })
    signal.addEventListener('abort', () => worker.terminate())
    worker.addEventListener('error', reject)
    worker.addEventListener('message', ({ data }: MessageEvent<number | string | null>) => {
      if (typeof data === 'number') return onProgress(data)
      worker.terminate()
      if (data === null) reject(new Error('The worker could not solve the challenge.'))
      else resolve(data)
    })
    worker.postMessage(challenge)
  })
}

async function onMainThread({ challenge, onProgress, controller }: Job): Promise<string> {
  const { findSolution } = await import('./find-solution.ts')
  // Aborted: never resolves, because the caller is gone.
  return (await findSolution(challenge, onProgress, controller)) ?? new Promise(() => {})
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (input: string) => URL }
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/**
 * Trusted Types forbid plain strings as script URLs. This policy returns one URL for any input, as a
 * TrustedScriptURL, which the types of `Worker` do not know.
 */
const policy = trustedTypes?.createPolicy('solver', { createScriptURL: () => solverUrl })

const scriptUrl = () => policy?.createScriptURL('') ?? solverUrl
