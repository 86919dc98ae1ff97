import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { navigate, useLocation } from '#web/features/navigation/location.ts'
import { listPeople, PeopleFilter } from '#contract/dashboard/people.ts'
import { person } from '#contract/dashboard/person.ts'
import { MIN_SEARCH_LENGTH } from '#contract/protocol/parameters.ts'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { call } from '#web/features/api/call.ts'
import { mayBeAdministrator } from '../dashboard-screen.tsx'
import { useChange } from '../use-change.ts'

const PEOPLE_QUERY = ['people']

export const personPath = (userId: string) => `${DASHBOARD_ROUTES.people.path}/${userId}`

/** The filter of the list of people, kept in the URL. */
export type PeopleView = { filter: PeopleFilter; search: string; cluster: string }

export function usePeopleView(): { view: PeopleView; changeView: (changes: Partial<PeopleView>) => void } {
  const { search: query } = useLocation()
  const params = new URLSearchParams(query)
  const view: PeopleView = {
    filter: PeopleFilter.options.find((name) => name === params.get('filter')) ?? 'all',
    search: params.get('search') ?? '',
    cluster: params.get('cluster') ?? '',
  }
  const changeView = (changes: Partial<PeopleView>) => {
    const { filter, search, cluster } = { ...view, ...changes }
    const entries = Object.entries({ filter: filter === 'all' ? '' : filter, search, cluster })
    const next = String(new URLSearchParams(entries.filter(([, value]) => value !== '')))
    navigate(DASHBOARD_ROUTES.people.path + (next && `?${next}`))
  }
  return { view, changeView }
}

export function usePeople({ filter, search, cluster }: PeopleView) {
  return useInfiniteQuery({
    queryKey: [...PEOPLE_QUERY, 'list', filter, search, cluster],
    queryFn: ({ pageParam: cursor }) =>
      call(listPeople, {
        query: {
          filter,
          ...(search.trim().length >= MIN_SEARCH_LENGTH && { search: search.trim() }),
          ...(cluster && { cluster }),
          ...(cursor && { cursor }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled: mayBeAdministrator(),
  })
}

export function usePerson(userId: string) {
  return useQuery({
    queryKey: [...PEOPLE_QUERY, userId],
    queryFn: async () => (await call(person, { params: { userId } })).data,
    enabled: mayBeAdministrator(),
  })
}

/** A call that changes a person; afterwards every list and page of people is read again. */
export const usePersonChange = <Args>(
  send: (args: Args) => Promise<{ message: string }>,
  onDone: () => void,
) => useChange(PEOPLE_QUERY, send, { onDone })
