export type DocsHeading = { id: string; text: string; level: 2 | 3 }

/** A page of the documentation below `/docs`. */
export type DocsPage = {
  path: `/docs/${string}`
  /** What the table of contents calls the page. */
  name: string
  title: string
  description: string
  section: string
  headings: readonly DocsHeading[]
  /** The page's text below its title. */
  html: string
}

export type DocsSection = { id: string; title: string; pages: readonly DocsPage['path'][] }

/** The documentation, as `tools/docs/compile.ts` makes it from `docs/`. */
export type Documentation = {
  title: string
  lead: string
  sections: readonly DocsSection[]
  /** Those of the table of contents, in its order, then those of the decisions. */
  pages: readonly DocsPage[]
  /** SVG pictures by path. */
  pictures: Readonly<Record<string, string>>
}
