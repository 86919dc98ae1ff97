import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  listClaims,
  reviewClaim,
  reviewSummary,
  type ReviewFilter,
  type Risk,
} from '#contract/dashboard/review.ts'
import { MIN_SEARCH_LENGTH } from '#contract/protocol/parameters.ts'
import { call } from '#web/features/api/call.ts'
import { navigate, useLocation } from '#web/features/navigation/location.ts'
import { REVIEW_WORDS } from '#messages/dashboard-review.js'

export type ViewName = ReviewFilter | 'all'
/** The filter of the review screen, kept in the URL. */
export type View = { name: ViewName; search: string; risk: Risk | ''; sort: 'age' | 'risk' }

/** The default of each query parameter. The URL leaves out a parameter with its default. */
const DEFAULTS: Readonly<Record<string, string>> = { view: 'all', search: '', risk: '', sort: 'age' }

/** The view from the URL, and a function to change it. */
export function useView(): { view: View; changeView: (changes: Partial<View>) => void } {
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  const param = (name: string) => params.get(name) ?? ''
  const view: View = {
    name: oneOf(Object.keys(REVIEW_WORDS.view) as ViewName[], param('view'), 'all'),
    search: param('search'),
    risk: oneOf(['', 'low', 'medium', 'high'], param('risk'), ''),
    sort: oneOf(['age', 'risk'], param('sort'), 'age'),
  }
  const changeView = (changes: Partial<View>) => {
    // The list of all submitters has no search, risk or sort: choosing that list drops these filters, and
    // setting one of them there switches to the waiting claims.
    if (changes.name === 'all') return navigate(pathname)
    const { name, ...filters } = { ...view, ...changes }
    const isNarrowed = filters.search !== '' || filters.risk !== '' || filters.sort !== 'age'
    const next: Record<string, string> = {
      view: name === 'all' && isNarrowed ? 'waiting' : name,
      ...filters,
    }
    const entries = Object.entries(next).filter(([key, value]) => value !== DEFAULTS[key])
    const query = String(new URLSearchParams(entries))
    navigate(pathname + (query && `?${query}`))
  }
  return { view, changeView }
}

function oneOf<const T extends string>(allowed: readonly T[], param: string, fallback: NoInfer<T>): T {
  return allowed.find((value) => value === param) ?? fallback
}

/** Key prefix of the filtered lists, the cards and the counts. */
export const REVIEW_QUERY = ['review']
/** Key prefix of the list of all submitters. */
export const SUBMISSIONS_QUERY = ['submissions']

/** Refetches what the review screen shows. Resolves when that has been done. */
export const refetchReview = (queries: QueryClient) =>
  Promise.all([SUBMISSIONS_QUERY, REVIEW_QUERY].map((queryKey) => queries.invalidateQueries({ queryKey })))

/** The claims of a view other than `all`, page by page. */
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
    ...(search.trim().length >= MIN_SEARCH_LENGTH && { search: search.trim() }),
    ...(risk && { risk }),
    ...(cursor && { cursor }),
  }
}

/** The number of claims in each view, and since when the oldest has been waiting. */
export function useSummary(enabled: boolean) {
  return useQuery({ queryKey: [...REVIEW_QUERY, 'summary'], queryFn: () => call(reviewSummary, {}), enabled })
}

export const claimKey = (claimId: string | null) => [...REVIEW_QUERY, 'claim', claimId]

export function useOpenClaim(claimId: string | null) {
  return useQuery({
    queryKey: claimKey(claimId),
    queryFn: () => call(reviewClaim, { params: { claimId: claimId ?? '' } }),
    enabled: claimId !== null,
  })
}
