import type { ReactNode } from 'react'
import { MAIL } from '#messages/dashboard-mail.js'
import { LoadFailed } from '#web/ui/load-failed.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type Query<Data> = { data: Data | undefined; isError: boolean; refetch: () => unknown }

/** What was asked for, once it is there; until then a placeholder, or why there is none. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Query<Data>
  children: (data: Data) => ReactNode
}) {
  const { data, isError, refetch } = query
  if (data !== undefined) return children(data)
  if (!isError)
    return (
      <div role="status" aria-label={MAIL.loading} className="mt-6 grid gap-4">
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  return <LoadFailed text={MAIL.failed} again={MAIL.again} onAgain={() => void refetch()} className="mt-6" />
}
