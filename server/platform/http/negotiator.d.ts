/** Types for the part of the package that we use; `@types/negotiator` lacks `preferred`. */
declare module 'negotiator' {
  import type { IncomingHttpHeaders } from 'node:http'

  export default class Negotiator {
    constructor(request: { headers: IncomingHttpHeaders })
    /** Undefined if the client accepts none of them. */
    encoding<Offered extends string>(
      offered: readonly Offered[],
      options: { preferred: readonly Offered[] },
    ): Offered | undefined
    /** Undefined if the client accepts none of them. */
    language<Offered extends string>(offered: readonly Offered[]): Offered | undefined
  }
}
