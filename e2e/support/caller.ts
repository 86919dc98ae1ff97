import { setTimeout as pause } from 'node:timers/promises'
import { type BodyInput, type Endpoint, pathFor, type ReplyOf } from '#contract/protocol/endpoint.ts'

export type CallInput<E extends Endpoint> = {
  body?: BodyInput<E>
  params?: Record<string, string>
  query?: Record<string, string | number>
  token?: string | undefined
  cookie?: string
  /** The client's IP address. */
  from?: string
  /** The call rejects after this time. */
  timeoutMs?: number
}

export type Answer<E extends Endpoint> = { status: number; body: ReplyOf<E>; headers: Headers }

/** Calls an endpoint of the contract over HTTP. Refusals are answers, too. */
export async function callApi<E extends Endpoint>(
  url: string,
  endpoint: E,
  input: CallInput<E> = {},
): Promise<Answer<E>> {
  const { body, params, query = {}, token, cookie, from, timeoutMs } = input
  const address = new URL(url + pathFor(endpoint, params))
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
  const response = await fetch(address, {
    method: endpoint.method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie }),
      ...(from !== undefined && { 'x-forwarded-for': from }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
  })
  return { status: response.status, body: (await response.json()) as ReplyOf<E>, headers: response.headers }
}

/**
 * Calls an endpoint. While the server is too busy, tries up to five times, once a second.
 * @throws with the reply if the call is refused
 */
export async function callOrFail<E extends Endpoint>(
  url: string,
  endpoint: E,
  input: CallInput<E> = {},
): Promise<ReplyOf<E>> {
  let answer = await callApi(url, endpoint, input)
  for (let tries = 1; answer.status === 503 && tries < 5; tries += 1) {
    await pause(1_000)
    answer = await callApi(url, endpoint, input)
  }
  const { status, body } = answer
  if (status === endpoint.status) return body
  throw new Error(`${endpoint.method} ${endpoint.path} answered ${status}: ${JSON.stringify(body)}`)
}
