import type { ReactNode } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { classes } from '#web/ui/classes.ts'
import { LoadError } from '#web/ui/load-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type QueryContentProps<Data> = {
  query: { data: Data | undefined; isError: boolean; refetch: () => unknown }
  /** Shown during loading, and after a failure. */
  words?: { loading: string; failed: string }
  /** Of the placeholders, as classes of Tailwind. */
  heights?: readonly string[]
  className?: string
  children: (data: Data) => ReactNode
}

/** Renders a query's data. Until they have loaded, placeholders, or an error with a retry button. */
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
