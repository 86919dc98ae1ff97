// The package's own types describe an ES module, but Node loads its CommonJS files.
declare module '@messageformat/core' {
  export default class MessageFormat {
    constructor(locale: string, options?: { strict?: boolean; strictPluralKeys?: boolean })
    readonly options: object
  }
}

declare module '@messageformat/core/compile-module.js' {
  import type MessageFormat from '@messageformat/core'
  /** @returns the source of an ES module. Its default export has the messages as functions. */
  export default function compileModule(format: MessageFormat, messages: object): string
}
