import type { Challenge } from '#contract/protocol/challenge.ts'
import { findSolution } from './find-solution.ts'

/** Receives a challenge. Posts numbers as progress, then the header's value, or null on failure. */
addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  findSolution(data, (progress) => postMessage(progress)).then(
    (header) => postMessage(header),
    () => postMessage(null),
  )
})
