import { SHARED_WORDS } from '#messages/shared.js'
import { LoadError } from '#web/ui/load-error.tsx'

export function MissingPart({ onRetry }: { onRetry: () => void }) {
  const { partMissing, again } = SHARED_WORDS
  return <LoadError text={partMissing} retryLabel={again} onRetry={onRetry} className="mt-6" />
}
