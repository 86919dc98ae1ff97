import type { ReactNode } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { LoadError } from '#web/ui/load-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type QueryContentProps<Data> = {
  query: { data: Data | undefined; isError: boolean; refetch: () => unknown }
  /** What is loading, and that it could not be loaded. */
  words?: { loading: string; failed: string }
  /** The heights of the placeholders, as classes. */
  heights?: readonly string[]
  className?: string
  children: (data: Data) => ReactNode
}

/** What was asked for, once it is there; until then placeholders, or why there is none. */
export function QueryContent<Data>(props: QueryContentProps<Data>) {
  const { query, words = DASHBOARD_WORDS, heights = ['h-24', 'h-48'], className = 'mt-6', children } = props
  const { data, isError, refetch } = query
  if (data !== undefined) return children(data)
  if (isError)
    return (
      <LoadError
        text={words.failed}
        again={DASHBOARD_WORDS.again}
        onAgain={() => void refetch()}
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

type List = {
  isError: boolean
  isFetching: boolean
  hasNextPage: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

/** The foot of a list that is read page by page: a button for the next page, or why there is none. */
export function ListFoot({ list, failed = DASHBOARD_WORDS.failed }: { list: List; failed?: string }) {
  if (list.isError)
    return <LoadError text={failed} again={DASHBOARD_WORDS.again} onAgain={() => void list.refetch()} />
  if (!list.hasNextPage) return null
  return (
    <Button
      variant="secondary"
      className="justify-self-start"
      isPending={list.isFetching}
      onClick={() => void list.fetchNextPage()}
    >
      {DASHBOARD_WORDS.more}
    </Button>
  )
}
