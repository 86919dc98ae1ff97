import type { ReactNode } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { classes } from '#web/ui/classes.ts'
import { LoadError } from '#web/ui/load-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type QueryContentProps<Data> = {
  query: { data: Data | undefined; isError: boolean; refetch: () => unknown }
  /** What is said while the query is loading, and if it has failed. */
  words?: { loading: string; failed: string }
  /** The heights of the placeholders, as classes. */
  heights?: readonly string[]
  className?: string
  children: (data: Data) => ReactNode
}

/** The data of a query once it has loaded; until then placeholders, or an error and a retry button. */
export function QueryContent<Data>(props: QueryContentProps<Data>) {
  const { query, words = DASHBOARD_WORDS, heights = ['h-24', 'h-48'], className = 'mt-6', children } = props
  const { data, isError, refetch } = query
  if (data !== undefined) return children(data)
  if (isError)
    return (
      <LoadError
        text={words.failed}
        retryLabel={DASHBOARD_WORDS.again}
        onRetry={() => void refetch()}
        className={className}
      />
    )
  return (
    <div role="status" aria-label={words.loading} className={classes('grid gap-6', className)}>
      {heights.map((height) => (
        <Skeleton key={height} className={`${height} w-full`} />
      ))}
    </div>
  )
}
