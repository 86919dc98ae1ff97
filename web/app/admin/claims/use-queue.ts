import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { listClaims, reviewSummary } from '#contract/dashboard/review.ts'
import { call } from '#web/features/api/call.ts'
import type { View } from './use-view.ts'

/** Key prefix of the filtered lists, the cards and the counts. */
export const REVIEW_QUERY = ['review']
/** Key prefix of the list of all submitters. */
export const SUBMISSIONS_QUERY = ['submissions']

/** A filtered list with cursor pagination. */
export function useQueue(view: View, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: [...REVIEW_QUERY, 'claims', view],
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

/** Number of waiting claims and the age of the oldest. */
export function useSummary(enabled: boolean) {
  return useQuery({ queryKey: [...REVIEW_QUERY, 'summary'], queryFn: () => call(reviewSummary, {}), enabled })
}
