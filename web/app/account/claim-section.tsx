import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

/**
 * What became of the claim, below the passport. It is fetched once the passport stands, and whatever goes wrong
 * with it leaves the passport alone.
 */
export function ClaimSection() {
  const [Section, setSection] = useState<ComponentType>()
  useEffect(() => {
    import('./your-claim.tsx').then(
      ({ YourClaim }) => setSection(() => YourClaim),
      (error: unknown) => console.error('The claim cannot be shown', error),
    )
  }, [])
  return Section && <Section />
}
