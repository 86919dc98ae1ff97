import type { Challenge } from '#contract/challenge.ts'
import { work } from './work.ts'

/** Takes a challenge; says numbers on the way, the header when it is done, null when it cannot. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  work(data, (done) => postMessage(done)).then(
    (header) => postMessage(header),
    () => postMessage(null),
  )
})
