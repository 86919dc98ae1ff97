/** A heading of a page of the documentation, below its title. */
export type DocsHeading = { id: string; text: string; level: 2 | 3 }

/** A page of the documentation below `/docs`. */
export type DocsPage = {
  path: `/docs/${string}`
  /** What the table of contents calls it. */
  name: string
  title: string
  description: string
  /** The title of its section. */
  section: string
  headings: readonly DocsHeading[]
  /** The page's text below its title. */
  html: string
}

/** A section of the table of contents. */
export type DocsSection = { id: string; title: string; pages: readonly DocsPage['path'][] }

/** The documentation, as `tools/docs/compile.ts` makes it from `docs/`. */
export type Documentation = {
  title: string
  lead: string
  sections: readonly DocsSection[]
  /** In the order of the contents; the decisions follow. */
  pages: readonly DocsPage[]
  /** SVG pictures by their path below the site. */
  pictures: Readonly<Record<string, string>>
}
