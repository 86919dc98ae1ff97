import type { Challenge } from '#contract/challenge.ts'
import { showWork } from './progress.ts'
import solverAddress from './solver.worker.ts?worker&url'

/**
 * Solves a challenge in a worker, or in slices beside the page where there is none, and shows how far it is.
 * @returns the value of X-Challenge; never, when the page is left meanwhile. @throws when it cannot be solved.
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
  // Nobody waits for an answer to what was abandoned.
  return (await work(challenge, onDone, controller)) ?? new Promise(() => {})
}

type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (of: '') => URL }
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** The page's policy refuses plain text as a script's address. This gives out one address, whatever it is asked. */
const trusted = trustedTypes?.createPolicy('solver', { createScriptURL: () => solverAddress })

const scriptUrl = () => trusted?.createScriptURL('') ?? solverAddress
