/** Types for the part of the package that we use; `@types/negotiator` lacks `preferred`. */
declare module 'negotiator' {
  import type { IncomingHttpHeaders } from 'node:http'

  export default class Negotiator {
    constructor(request: { headers: IncomingHttpHeaders })
    encoding<Offered extends string>(
      offered: readonly Offered[],
      options: { preferred: readonly Offered[] },
    ): Offered | undefined
    language<Offered extends string>(offered: readonly Offered[]): Offered | undefined
  }
}
