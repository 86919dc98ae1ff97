import type { QueryClient } from '@tanstack/react-query'
import {
  listClaims,
  reviewClaim,
  reviewSummary,
  type ReviewFilter,
  type Risk,
} from '#contract/dashboard/review.ts'
import { call } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import { navigate, useLocation, useParam, withQuery } from '#web/features/navigation/location.ts'
import { REVIEW_WORDS } from '#messages/dashboard-review.js'
import { toSearchParam } from '../ui/toolbar.tsx'
import { usePages } from '../ui/paged-list.tsx'

/** What the review screen lists: `name` is the filter of the claims. Kept in the URL. */
export type View = { name: ReviewFilter; search: string; risk: Risk | ''; sort: 'age' | 'risk' }

/** The view in the URL, which leaves out parameters with their default. `changeView` changes the URL. */
export function useView(): { view: View; changeView: (changes: Partial<View>) => void } {
  const { pathname } = useLocation()
  const view: View = {
    name: oneOf(Object.keys(REVIEW_WORDS.view) as ReviewFilter[], useParam('view'), 'all'),
    search: useParam('search'),
    risk: oneOf(['', 'low', 'medium', 'high'], useParam('risk'), ''),
    sort: oneOf(['age', 'risk'], useParam('sort'), 'age'),
  }
  const changeView = (changes: Partial<View>) => {
    const next = { ...view, ...changes }
    // The list of all claimants cannot be filtered by risk or sorted. Choosing it removes both, and adding
    // one of them switches to the waiting claims.
    if (changes.name === 'all' && isUnfiltered(next)) return navigate(pathname)
    const { name, search, risk, sort } = next
    const filters = { search, risk, sort: sort === 'age' ? '' : sort }
    const isNarrowed = risk !== '' || sort !== 'age'
    const nextName = isUnfiltered(next) && isNarrowed ? 'waiting' : name
    navigate(withQuery(pathname, { view: nextName === 'all' ? '' : nextName, ...filters }))
  }
  return { view, changeView }
}

/** Whether a view is the list of all claimants instead of a filtered list of claims. */
export const isUnfiltered = ({ name, search }: View) => name === 'all' && toSearchParam(search) === ''

function oneOf<const T extends string>(allowed: readonly T[], param: string, fallback: NoInfer<T>): T {
  return allowed.find((value) => value === param) ?? fallback
}

/** The first part of the keys of the filtered lists, the cards and the counts. */
export const REVIEW_QUERY = ['review']
/** The first part of the keys of the list of all claimants. */
export const CLAIMANTS_QUERY = ['claimants']

/** Refetches everything on the review screen. Resolves after the last reply. */
export const refetchReview = (queries: QueryClient) =>
  Promise.all([CLAIMANTS_QUERY, REVIEW_QUERY].map((queryKey) => queries.invalidateQueries({ queryKey })))

/** The claims of a view, page by page. Fetches nothing for the list of all claimants. */
export function useQueue(view: View) {
  const { name: filter, search, risk, sort } = view
  return usePages({
    queryKey: [...REVIEW_QUERY, 'claims', view],
    fetchPage: (cursor) =>
      call(listClaims, {
        query: { filter, sort, search: toSearchParam(search), risk: risk || undefined, cursor },
      }),
    enabled: !isUnfiltered(view),
  })
}

export const useSummary = () => useData(reviewSummary, { queryKey: [...REVIEW_QUERY, 'summary'] })

export const claimKey = (claimId: string | null) => [...REVIEW_QUERY, 'claim', claimId]

export const useOpenClaim = (claimId: string | null) =>
  useData(reviewClaim, {
    queryKey: claimKey(claimId),
    params: { claimId: claimId ?? '' },
    enabled: claimId !== null,
  })
