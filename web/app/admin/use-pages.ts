import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'

type Page = { data: readonly unknown[]; next: string | number | null }

type PagesOptions<P extends Page> = {
  queryKey: QueryKey
  /** @param cursor `next` of the page before; undefined for the first page. */
  fetchPage: (cursor: string | undefined) => Promise<P>
  enabled?: boolean
  /** How often all pages are fetched again, in milliseconds; false for never, the default. */
  pollMs?: (pages: readonly P[]) => number | false
}

/** A list with cursor pagination: the pages that have been fetched, and their `entries`. */
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
