import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

export const API_BASE = '/api/v1'

export const pathFor = ({ path }: Pick<Endpoint, 'path'>, params: Record<string, string> = {}) =>
  API_BASE + path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))

/** Who may call (RBAC). All but `public` need a bearer token, and `admin` also the role. */
export type Access = 'public' | 'participant' | 'admin'

/**
 * A rate limit of `take` calls per `seconds`, counted in the database across all nodes.
 *
 * - `account`: per account; with `of`, for all endpoints with the same `of` together.
 * - `network`: per IPv4 address or IPv6 /64; an IPv6 /56 has 4 times the limit, a /48 16 times. Once it is
 *   spent, solved challenges buy up to `forWork` calls per window; then the network has to wait.
 * - `global`: for all callers of all endpoints with the same `of`. Once it is spent, every call needs a
 *   solved challenge, but none is refused. The work grows with each call, and has tripled after
 *   `forWork` calls.
 */
export type Limit =
  | { per: 'account'; of?: string; take: number; seconds: number }
  | { per: 'network'; take: number; seconds: number; forWork?: number }
  | { per: 'global'; of: string; take: number; seconds: number; forWork: number }

type Schema = z.core.$ZodType

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Path = `/${string}`

type Declaration<
  Params extends Schema | undefined,
  Query extends Schema | undefined,
  Body extends Schema | undefined,
  Reply extends Schema,
  Level extends Access,
> = {
  access: Level
  summary: string
  limits?: readonly Limit[]
  /** `public`: a reply may be cached for a second, and reused while it is refreshed. Absent: never cached. */
  cache?: 'public'
  /** Paths of calls whose cached public replies become outdated; absent: all. Declared for frequent calls. */
  invalidatesCacheOf?: readonly Path[]
  /** The largest body in bytes; 16 kB when absent. */
  bodyLimit?: number
  params?: Params
  query?: Query
  body?: Body
  /** The body is a file of any type with at most `atMost` bytes; a larger one is refused with `tooLarge`. */
  upload?: { atMost: number; tooLarge: ErrorCode }
  /** Replies are parsed by it, so an undeclared field cannot leak. */
  reply: Reply
  /** The HTTP status of a reply; 200 when absent. */
  status?: 200 | 201
  /** Replies with NDJSON under this file name: one `reply` per line. */
  lines?: string
  /** Replies with this file, whose content `reply` does not describe. */
  file?: { name: string; type: string }
  /** The refusals specific to this call, besides those of every call. */
  refusals?: readonly ErrorCode[]
}

/** An API call as a value, shared by server, browser, OpenAPI document and tests. */
export type Endpoint<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema = Schema,
  Level extends Access = Access,
> = Declaration<Params, Query, Body, Reply, Level> & {
  method: Method
  /** Relative to {@link API_BASE}; parameters as `:name`. */
  path: Path
  status: 200 | 201
  refusals: readonly ErrorCode[]
}

/** Declares an endpoint, such as `GET /campaign`; preserves the exact types of its schemas. */
export function endpoint<
  Reply extends Schema,
  const Level extends Access,
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(
  call: `${Method} ${Path}`,
  declaration: Declaration<Params, Query, Body, Reply, Level>,
): Endpoint<Params, Query, Body, Reply, Level> {
  const [method, path] = call.split(' ') as [Method, Path]
  return { status: 200, refusals: [], ...declaration, method, path }
}

/** What a schema makes of its input; undefined for an endpoint that declares no such schema. */
type Output<S> = [Extract<S, Schema>] extends [never] ? undefined : z.output<Extract<S, Schema>>
type Input<S> = [Extract<S, Schema>] extends [never] ? undefined : z.input<Extract<S, Schema>>

/** What a handler receives after validation. */
export type ParamsOf<E extends Endpoint> = Output<E['params']>
export type QueryOf<E extends Endpoint> = Output<E['query']>
export type BodyOf<E extends Endpoint> = Output<E['body']>
/** What a caller sends, before defaults are applied. */
export type BodyInput<E extends Endpoint> = Input<E['body']>
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>
