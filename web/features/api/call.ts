import * as z from 'zod/mini'
import { CHALLENGE_HEADER, type Challenge } from '#contract/protocol/challenge.ts'
import { type Endpoint, pathFor, type ReplyOf } from '#contract/protocol/endpoint.ts'
import { LOCALE } from '#messages/locale.js'
import type { ProofOfWork } from '#web/features/challenge/proof-of-work.ts'
import { withQuery } from '#web/features/navigation/location.ts'
import { readStored } from '#web/features/session/storage.ts'
import { ApiError, isAbandoned, readRefusal } from './api-error.ts'

// Compiling schemas needs eval, which the content security policy forbids.
z.config({ jitless: true })

/** `{ [Name]: input of the schema }`, or no constraint if the endpoint has no such schema. */
type Part<Name extends string, S> = [NonNullable<S>] extends [never]
  ? unknown
  : { [N in Name]: z.input<NonNullable<S> & z.core.$ZodType> }

export type CallArgs<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>

export type RequestParts = {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
}

/**
 * Makes a call and returns its parsed reply. Does what interceptors would: sends the session's token, solves
 * challenges, and logs errors, except those of abandoned calls, so that callers need not.
 * @param work from the form's `useProofOfWork`, if the endpoint may answer with a challenge.
 * @throws {ApiError} also if the visitor is offline or the server unreachable.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  args: CallArgs<E>,
  work?: ProofOfWork,
): Promise<ReplyOf<E>> {
  try {
    return await callAndParse(endpoint, args as RequestParts, work)
  } catch (error) {
    if (!isAbandoned(error)) console.error(`${endpoint.method} ${endpoint.path}`, error)
    throw error
  }
}

/** A {@link call} whose body is a file. */
export const callWithFile = <E extends Endpoint>(endpoint: E, args: CallArgs<E>, file: Blob) =>
  call(endpoint, { ...(args as RequestParts), body: file } as CallArgs<E>)

async function callAndParse<E extends Endpoint>(
  endpoint: E,
  parts: RequestParts,
  work: ProofOfWork | undefined,
): Promise<ReplyOf<E>> {
  const response = await sendWithSolution(endpoint, parts, work)
  const reply = z.safeParse(endpoint.reply, withDefaultMessage(await response.json().catch(() => null)))
  if (!reply.success) throw new ApiError(response.status, { message: '', code: 'unreadable' })
  return reply.data as ReplyOf<E>
}

/** A reply without a success message is still a success. */
function withDefaultMessage(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? { message: '', ...body } : body
}

/** How many solutions one call may send. A solution can expire on its way. */
const MAX_SOLUTIONS = 3

/** Sends a call. If a refusal has a challenge, solves it and sends the call again with the solution. */
async function sendWithSolution(
  endpoint: Endpoint,
  parts: RequestParts,
  work: ProofOfWork | undefined,
): Promise<Response> {
  let solution: string | undefined
  for (let solutions = 0; ; solutions += 1) {
    const response = await send(endpoint, parts, solution)
    if (response.ok) return response
    const refusal = await readRefusal(response)
    if (!work || !refusal.challenge || solutions === MAX_SOLUTIONS) throw refusal
    try {
      solution = await solutionOf(refusal.challenge, work)
    } catch {
      const wasAbandoned = work.controller.signal.aborted
      throw wasAbandoned ? new ApiError(0, { message: '', code: 'abandoned' }) : refusal
    }
  }
}

/** Loads the solver on demand, since it is rarely needed. */
async function solutionOf(challenge: Challenge, work: ProofOfWork): Promise<string> {
  const { solve } = await import('#web/features/challenge/solve.ts')
  return solve(challenge, work)
}

async function send(endpoint: Endpoint, parts: RequestParts, solution?: string): Promise<Response> {
  const init: RequestInit = {
    method: endpoint.method,
    headers: headersFor(parts, solution),
    credentials: 'include',
    // Makes proxies and the browser ask the server before they reuse a reply, at the cost of a 304.
    cache: 'no-cache',
  }
  if (parts.body !== undefined)
    init.body = parts.body instanceof Blob ? parts.body : JSON.stringify(parts.body)
  try {
    return await fetch(urlOf(endpoint, parts), init)
  } catch {
    throw new ApiError(0, { message: '', code: 'unreachable' })
  }
}

function headersFor(parts: RequestParts, solution: string | undefined): Headers {
  // The server's texts are in the application's language.
  const headers = new Headers({ accept: 'application/json', 'accept-language': LOCALE })
  const token = readStored('token')
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (parts.body !== undefined)
    headers.set('content-type', parts.body instanceof Blob ? 'application/octet-stream' : 'application/json')
  if (solution !== undefined) headers.set(CHALLENGE_HEADER, solution)
  return headers
}

export const urlOf = (endpoint: Endpoint, { params, query = {} }: RequestParts): string =>
  withQuery(pathFor(endpoint, params), query)
