import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contract/protocol/endpoint.ts'
import { call, type CallArgs } from './call.ts'

type DataOf<E extends Endpoint> = ReplyOf<E> extends { data: infer Data } ? Data : never
type Options<E extends Endpoint> = Omit<UseQueryOptions<DataOf<E>>, 'queryFn'>

/** A query for the `data` of a reply. @param input the call's arguments and the query's options. */
export function useData<E extends Endpoint>(endpoint: E, input: CallArgs<E> & Options<E>) {
  const fetchData = async () => ((await call(endpoint, input)) as { data: DataOf<E> }).data
  return useQuery({ ...input, queryFn: fetchData })
}

/** Whether the first answer is awaited. False while a failed call is retried. */
export const isFirstLoad = ({ isLoading, isFetchedAfterMount }: UseQueryResult): boolean =>
  isLoading && !isFetchedAfterMount
