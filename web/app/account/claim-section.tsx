import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

/** The claim below the passport. Loads after the passport, which works without it. */
export function ClaimSection() {
  const [Section, setSection] = useState<ComponentType>()
  useEffect(() => {
    import('./your-claim.tsx').then(
      ({ YourClaim }) => setSection(() => YourClaim),
      (error: unknown) => console.error('The claim failed to load', error),
    )
  }, [])
  return Section && <Section />
}
