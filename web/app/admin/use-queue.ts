import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listClaims, reviewSummary } from '#contract/review.ts'
import { call } from '#web/features/api/call.ts'
import type { View } from './use-view.ts'

/** Every list, card and figure of the desk is kept below this key. */
export const REVIEW = 'review'

/** A filtered list, a page after the other. */
export function useQueue(view: View, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: [REVIEW, 'claims', view],
    queryFn: ({ pageParam }) => call(listClaims, { query: queryOf(view, pageParam) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled,
  })
}

function queryOf({ name, search, risk, sort }: View, cursor: string) {
  return {
    filter: name === 'all' ? undefined : name,
    sort,
    ...(search.trim().length >= 2 && { search: search.trim() }),
    ...(risk && { risk }),
    ...(cursor && { cursor }),
  }
}

/** How many wait, and since when the oldest does. */
export function useSummary(enabled: boolean) {
  return useQuery({ queryKey: [REVIEW, 'summary'], queryFn: () => call(reviewSummary, {}), enabled })
}
