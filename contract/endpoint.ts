import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/** Every call of the product's own API lives below this path. */
export const API_BASE = '/api/v1'

/** Who may call. Required on every endpoint, so that forgetting it does not compile. */
export type Access = 'public' | 'participant' | 'admin'

/**
 * How often one caller may call, counted in the database over all nodes.
 * `per: 'network'` counts an IPv4 address or an IPv6 /64, and with four and sixteen times as much its /56 and its
 * /48; `per: 'account'` counts the signed-in user.
 * `take` calls are let through in a window of `seconds`. Of a network over its budget, `forWork` calls more get
 * through in such a window, each for the solution of a challenge; past those the network has to wait.
 *
 * `per: 'everybody'` counts all callers together, over all calls that name the same `of`. Past it every call passes
 * for the solution of a challenge and none is refused: the work grows instead, threefold after `forWork` calls.
 */
export type Limit =
  | { per: 'account'; take: number; seconds: number }
  | { per: 'network'; take: number; seconds: number; forWork?: number }
  | { per: 'everybody'; of: string; take: number; seconds: number; forWork: number }

type Shape = z.core.$ZodType

/** The shape of one call; server, browser, OpenAPI document and tests use the same value. */
export type Endpoint<
  Params extends Shape | undefined = Shape | undefined,
  Query extends Shape | undefined = Shape | undefined,
  Body extends Shape | undefined = Shape | undefined,
  Reply extends Shape = Shape,
  Who extends Access = Access,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below {@link API_BASE}; parameters as `:name`. */
  path: `/${string}`
  access: Who
  summary: string
  limits?: readonly Limit[]
  /** `public` lets browsers and proxies keep the reply for a second; without it nothing is kept. */
  cache?: 'public'
  params?: Params
  query?: Query
  body?: Body
  /** What leaves: the reply is parsed by this schema, so a field it does not name cannot leak. */
  /** `lines`: the body is any number of these, one a line (NDJSON), under that file name. */
  reply: { status: 200 | 201; body: Reply; lines?: string }
  /** The refusals this call may answer with, besides those that every call has. */
  refusals: readonly ErrorCode[]
}

/** Declares an endpoint and keeps the exact types of its schemas. */
export function endpoint<
  Reply extends Shape,
  const Who extends Access,
  Params extends Shape | undefined = undefined,
  Query extends Shape | undefined = undefined,
  Body extends Shape | undefined = undefined,
>(definition: Endpoint<Params, Query, Body, Reply, Who>): Endpoint<Params, Query, Body, Reply, Who> {
  return definition
}

type Parsed<S> = [Extract<S, Shape>] extends [never] ? undefined : z.output<Extract<S, Shape>>
type Given<S> = [Extract<S, Shape>] extends [never] ? undefined : z.input<Extract<S, Shape>>

/** What the server's verb receives once the call has been validated. */
export type ParamsOf<E extends Endpoint> = Parsed<E['params']>
export type QueryOf<E extends Endpoint> = Parsed<E['query']>
export type BodyOf<E extends Endpoint> = Parsed<E['body']>
/** What a caller sends, before defaults are filled in. */
export type BodyInput<E extends Endpoint> = Given<E['body']>
export type ReplyOf<E extends Endpoint> = z.output<E['reply']['body']>
