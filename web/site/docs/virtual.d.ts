/** Made by tools/docs/plugin.ts. */
declare module 'virtual:docs' {
  import type { Documentation } from '#web/site/docs/documentation.ts'
  const DOCS: Documentation
  export default DOCS
}

declare module 'virtual:docs-index' {
  /** A MiniSearch index as JSON. */
  const index: string
  export default index
}
