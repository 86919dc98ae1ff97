import { Skeleton } from '#web/ui/skeleton.tsx'
import { SHARED_WORDS } from '#web/content/shared.ts'

/** What is seen while a screen is fetched: nothing but the shape of one. */
export function Blank() {
  return (
    <main
      className="page grid min-h-dvh content-start gap-6 py-24"
      aria-busy="true"
      aria-label={SHARED_WORDS.loading}
    >
      <Skeleton className="h-16 w-2/3 max-w-xl" />
      <Skeleton className="h-6 w-1/2 max-w-md" />
    </main>
  )
}
