import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { Button } from '#web/ui/button.tsx'
import { LoadError } from '#web/ui/load-error.tsx'

type Page = { data: readonly unknown[]; next: string | number | null }

type PagesOptions<P extends Page> = {
  queryKey: QueryKey
  /** @param cursor the previous page's `next`; undefined for the first page. */
  fetchPage: (cursor: string | undefined) => Promise<P>
  enabled?: boolean
  /** How often all pages are refetched, in milliseconds; false (the default) for never. */
  pollMs?: (pages: readonly P[]) => number | false
}

/** A list with cursor pagination. `entries`: those of all pages that have been fetched. */
export const usePages = <P extends Page>({ queryKey, fetchPage, enabled = true, pollMs }: PagesOptions<P>) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: P) => (next === null ? undefined : String(next)),
    enabled,
    refetchInterval: ({ state }) => pollMs?.(state.data?.pages ?? []) ?? false,
    select: withEntries<P>,
  })

const withEntries = <P extends Page>({ pages }: InfiniteData<P>) => ({
  pages,
  entries: pages.flatMap(({ data }): readonly P['data'][number][] => data),
})

type ListFootProps = { list: UseInfiniteQueryResult; failed?: string }

/** The end of a list with cursor pagination: a button for the next page, or an error with a retry button. */
export function ListFoot({ list, failed = DASHBOARD_WORDS.failed }: ListFootProps) {
  if (list.isError)
    return <LoadError text={failed} retryLabel={DASHBOARD_WORDS.again} onRetry={() => void list.refetch()} />
  if (!list.hasNextPage) return null
  return (
    <Button
      variant="secondary"
      className="justify-self-start"
      isPending={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {DASHBOARD_WORDS.more}
    </Button>
  )
}
