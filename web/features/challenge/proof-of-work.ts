import { useEffect, useState } from 'react'

/** What calls need to solve challenges. Each form whose calls may get a challenge has its own. */
export type ProofOfWork = {
  /** Aborted once the form is left. */
  controller: AbortController
  /** Gets the progress, from 0 to 1; undefined when the work is over. */
  onProgress: (progress: number | undefined) => void
}

/** @returns `work` for a form's calls, and the `progress` to show in the form, from 0 to 1. */
export function useProofOfWork(): { work: ProofOfWork; progress: number | undefined } {
  const [progress, onProgress] = useState<number>()
  const [controller] = useState(() => new AbortController())
  useEffect(() => () => controller.abort(), [controller])
  return { work: { controller, onProgress }, progress }
}
