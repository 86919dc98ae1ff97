import type { Challenge } from '#contract/challenge.ts'
import { showWork } from './progress.ts'
import solverAddress from './solver.worker.ts?worker&url'

/**
 * Solves a challenge in a worker, or in slices on the main thread where workers are unavailable, and
 * publishes the progress.
 * @returns the value of X-Challenge; never resolves once aborted. @throws if it cannot be solved.
 */
export async function solve(challenge: Challenge): Promise<string> {
  const controller = new AbortController()
  const onDone = (done: number) => {
    if (!controller.signal.aborted) showWork({ done, controller })
  }
  onDone(0)
  try {
    const asked = { challenge, onDone, controller }
    return await inWorker(asked).catch(() => besideThePage(asked))
  } finally {
    showWork(undefined)
  }
}

type Asked = { challenge: Challenge; onDone: (done: number) => void; controller: AbortController }

function inWorker({ challenge, onDone, controller: { signal } }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(scriptUrl(), { type: 'module' })
    signal.addEventListener('abort', () => worker.terminate())
    worker.addEventListener('error', reject)
    worker.addEventListener('message', ({ data }: MessageEvent<number | string | null>) => {
      if (typeof data === 'number') return onDone(data)
      worker.terminate()
      if (data === null) reject(new Error('The worker could not solve the challenge.'))
      else resolve(data)
    })
    worker.postMessage(challenge)
  })
}

async function besideThePage({ challenge, onDone, controller }: Asked): Promise<string> {
  const { work } = await import('./work.ts')
  // Aborted: never resolves, because the caller is gone.
  return (await work(challenge, onDone, controller)) ?? new Promise(() => {})
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (of: '') => URL }
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** Trusted Types forbid plain strings as script URLs. This policy returns one URL for any input. */
const trusted = trustedTypes?.createPolicy('solver', { createScriptURL: () => solverAddress })

const scriptUrl = () => trusted?.createScriptURL('') ?? solverAddress
