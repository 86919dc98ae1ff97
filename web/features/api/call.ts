import * as z from 'zod/mini'
import { API_BASE } from '#contract/endpoint.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { stored } from '#web/features/session/storage.ts'
import { ApiError, refusalOf } from './api-error.ts'

// Compiling schemas needs eval, which the content security policy forbids.
z.config({ jitless: true })

type Part<Name extends string, S> = [NonNullable<S>] extends [never]
  ? unknown
  : { [N in Name]: z.input<NonNullable<S> & z.core.$ZodType> }

/** What a call is given: exactly the parts that its endpoint declares. */
export type Given<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>

type Parts = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/**
 * Makes one call and returns its parsed reply. Throws an {@link ApiError}, also when nobody answers;
 * every error is logged here, so that a screen need not.
 */
export async function call<E extends Endpoint>(endpoint: E, given: Given<E>): Promise<ReplyOf<E>> {
  try {
    return await exchange(endpoint, given as Parts)
  } catch (error) {
    console.error(`${endpoint.method} ${endpoint.path}`, error)
    throw error
  }
}

async function exchange<E extends Endpoint>(endpoint: E, parts: Parts): Promise<ReplyOf<E>> {
  const response = await reach(endpoint, parts)
  if (!response.ok) throw await refusalOf(response)
  const reply = z.safeParse(endpoint.reply.body, await response.json().catch(() => null))
  if (!reply.success) throw new ApiError(response.status, { message: '', code: 'unreadable' })
  return reply.data as ReplyOf<E>
}

async function reach(endpoint: Endpoint, parts: Parts): Promise<Response> {
  // no-cache: what a proxy or this browser keeps for a moment is asked for again, which costs a 304 at most.
  const init: RequestInit = {
    method: endpoint.method,
    headers: headersFor(parts),
    credentials: 'include',
    cache: 'no-cache',
  }
  if (parts.body !== undefined) init.body = JSON.stringify(parts.body)
  try {
    return await fetch(addressOf(endpoint, parts), init)
  } catch {
    throw new ApiError(0, { message: '', code: 'unreachable' })
  }
}

function headersFor(parts: Parts): Headers {
  const headers = new Headers({ accept: 'application/json' })
  const token = stored('token')
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (parts.body !== undefined) headers.set('content-type', 'application/json')
  return headers
}

function addressOf(endpoint: Endpoint, { params = {}, query = {} }: Parts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return API_BASE + path + (search && `?${search}`)
}
