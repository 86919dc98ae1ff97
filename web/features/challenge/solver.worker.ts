import type { Challenge } from '#contract/protocol/challenge.ts'
import { work } from './work.ts'

/** Receives a challenge; posts numbers as progress, then the header value, or null on failure. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  work(data, (done) => postMessage(done)).then(
    (header) => postMessage(header),
    () => postMessage(null),
  )
})
