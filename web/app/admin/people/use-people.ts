import { navigate, useParam } from '#web/features/navigation/location.ts'
import { withQuery } from '#web/features/navigation/with-query.ts'
import { listPeople, PeopleFilter } from '#contract/dashboard/people.ts'
import { person } from '#contract/dashboard/person.ts'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { call } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import { toSearchParam } from '../common/toolbar.tsx'
import { usePages } from '../common/paged-list.tsx'

/** Key prefix of every list of people, and of each person. */
export const PEOPLE_QUERY = ['people']

/** The filter of the list of people, kept in the URL. */
export type PeopleView = { filter: PeopleFilter; search: string; cluster: string }

export function usePeopleView(): { view: PeopleView; changeView: (changes: Partial<PeopleView>) => void } {
  const requested = useParam('filter')
  const view: PeopleView = {
    filter: PeopleFilter.options.find((name) => name === requested) ?? 'all',
    search: useParam('search'),
    cluster: useParam('cluster'),
  }
  const changeView = (changes: Partial<PeopleView>) => {
    const { filter, search, cluster } = { ...view, ...changes }
    const params = { filter: filter === 'all' ? '' : filter, search, cluster }
    navigate(withQuery(DASHBOARD_ROUTES.people.path, params))
  }
  return { view, changeView }
}

export const usePeople = ({ filter, search, cluster }: PeopleView) =>
  usePages({
    queryKey: [...PEOPLE_QUERY, 'list', filter, search, cluster],
    fetchPage: (cursor) =>
      call(listPeople, { query: { filter, search: toSearchParam(search), cluster, cursor } }),
  })

export const usePerson = (userId: string) =>
  useData(person, { queryKey: [...PEOPLE_QUERY, userId], params: { userId } })
