import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import Slugger from 'github-slugger'
import type { Token } from 'markdown-it'
import type { DocsHeading, DocsPage, Documentation } from '#web/site/docs/documentation.ts'
import type { DocsPart } from '#web/site/docs/search/search.ts'
import { type Chunk, partsOf, splitFile } from './chunks.ts'
import { CONTENTS_FILE, type Contents, type Entry, readContents } from './contents.ts'
import { type Places, rewriteLinks } from './links.ts'
import { attributeOf, markdown, type Rendering, textOf } from './markdown.ts'

const BASE = '/docs'
const DECISIONS = 'docs/decisions'
const TEMPLATE = '000-template.md'
/** About as much as search engines show. */
const DESCRIPTION_LENGTH = 155

export type Compiled = {
  documentation: Documentation
  /** What search finds. */
  parts: DocsPart[]
  /** All files that were read, relative to the repository. */
  files: string[]
  /** Broken links, and headings that the contents name but that do not exist. */
  problems: string[]
}

type Page = { path: DocsPage['path']; section: string; chunk: Chunk }

/**
 * Makes the documentation of the site from the table of contents (`docs/README.md`), the files that it names
 * and the decisions. Reports problems but continues: a page with a broken link is better than none.
 */
export async function compileDocs(root: string): Promise<Compiled> {
  const read = (file: string) => readFile(path.join(root, file), 'utf8')
  const problems: string[] = []
  const report = (problem: string) => problems.push(problem)
  const contents = readContents(await read(CONTENTS_FILE))
  const decisions = await listDecisions(root, read)
  const pages = await readPages(contents, decisions, read, report)
  const addresses = addressesOf(pages)
  addresses.set('docs', { url: BASE, title: contents.title })
  addresses.set(CONTENTS_FILE, { url: BASE, title: contents.title })
  const pictures = new Map<string, string>()
  const places: Places = {
    root,
    find: (place) => addresses.get(place),
    addPicture(file) {
      const url = `${BASE}/${path.posix.relative('docs', file)}`
      pictures.set(url, file)
      return url
    },
    report,
  }
  // Made before the pages, whose rendering rewrites the links in the tokens.
  const parts = pages.flatMap((page) => partsOf(page.path, page.chunk))
  const rendered = pages.map((page) => renderPage(page, places))
  return {
    documentation: {
      title: contents.title,
      lead: contents.lead,
      sections: sectionsOf(contents, pages),
      pages: rendered,
      pictures: Object.fromEntries(
        await Promise.all([...pictures].map(async ([url, file]) => [url, await read(file)] as const)),
      ),
    },
    parts,
    files: [...new Set([CONTENTS_FILE, ...pages.map(({ chunk }) => chunk.entry.file), ...pictures.values()])],
    problems,
  }
}

type Read = (file: string) => Promise<string>

/** The decisions as entries of the contents. `renderPage` describes them by their first paragraph. */
async function listDecisions(root: string, read: Read): Promise<Entry[]> {
  const names = await readdir(path.join(root, DECISIONS))
  const files = names.filter((name) => name.endsWith('.md') && name !== TEMPLATE).toSorted()
  return Promise.all(
    files.map(async (name) => {
      const file = `${DECISIONS}/${name}`
      const [, title = name] = /^# (?:\d+\. )?(.+)$/m.exec(await read(file)) ?? []
      return { name: title, description: '', file, anchor: undefined }
    }),
  )
}

/** The pages in the order of the contents, then a page with a list of the decisions, and the decisions. */
async function readPages(
  contents: Contents,
  decisions: readonly Entry[],
  read: Read,
  report: (problem: string) => void,
): Promise<Page[]> {
  const listed = contents.sections.flatMap(({ title, entries }) =>
    entries.map((entry) => ({ entry, section: title })),
  )
  const entriesOfPages = [
    ...listed.filter(({ entry }) => !isDecisionsFolder(entry)),
    ...decisions.map((entry) => ({ entry, section: 'Decisions' })),
  ]
  const byFile = Map.groupBy(entriesOfPages, ({ entry }) => entry.file)
  const chunks = new Map<Entry, Chunk>()
  for (const [file, pagesOfFile] of byFile) {
    const entries = pagesOfFile.map(({ entry }) => entry)
    for (const chunk of splitFile(await read(file), entries, report)) chunks.set(chunk.entry, chunk)
  }
  const decisionsList = listed.find(({ entry }) => isDecisionsFolder(entry))
  const pages = entriesOfPages.flatMap(({ entry, section }) => {
    const chunk = chunks.get(entry)
    return chunk ? [{ path: addressOf(entry), section, chunk }] : []
  })
  if (!decisionsList) return pages
  const firstDecision = pages.findIndex(({ section }) => section === 'Decisions')
  const tokens = markdown.parse(tableOf(decisions), {})
  const { entry: listEntry, section } = decisionsList
  const title = listEntry.name
  const chunk = { entry: listEntry, title, fileTitle: title, tokens, anchors: new Map<string, string>() }
  const page = { path: addressOf(listEntry), section, chunk }
  return pages.toSpliced(firstDecision < 0 ? pages.length : firstDecision, 0, page)
}

const isDecisionsFolder = ({ file }: Entry) => file.replace(/\/$/, '') === DECISIONS

/** A table, because a numbered list could not skip the numbers that are missing. */
const tableOf = (decisions: readonly Entry[]) =>
  ['| | |', '| --- | --- |']
    .concat(
      decisions.map(({ name, file }) => {
        const base = path.posix.basename(file)
        return `| ${base.slice(0, 3)} | [${name.replaceAll('|', '\\|')}](${base}) |`
      }),
    )
    .join('\n')

/** Contains the file's name or, for a part of a file, the name of the part in the contents. */
function addressOf({ file, name, anchor }: Entry): DocsPage['path'] {
  if (anchor !== undefined) return `${BASE}/${new Slugger().slug(name)}`
  const place = file.replace(/^docs\//, '').replace(/\.md$|\/$/, '')
  if (file.startsWith('docs/')) return `${BASE}/${place}`
  return `${BASE}/${place
    .replace(/\/README$/, '')
    .toLowerCase()
    .replaceAll('/', '-')}`
}

/** The address of each file and heading. A split file has the address of its first part. */
function addressesOf(pages: readonly Page[]): Map<string, { url: string; title: string }> {
  const addresses = new Map<string, { url: string; title: string }>()
  for (const { path: page, chunk } of pages) {
    for (const [anchor, onPage] of chunk.anchors) {
      const url = onPage === '' ? page : `${page}#${onPage}`
      addresses.set(`${chunk.entry.file}#${anchor}`, { url, title: chunk.title })
    }
  }
  // Sorted, because the contents may list the parts of a file in another order.
  for (const { path: url, chunk } of pages.toSorted((one, other) => firstLineOf(one) - firstLineOf(other))) {
    const file = chunk.entry.file.replace(/\/$/, '')
    if (!addresses.has(file)) addresses.set(file, { url, title: chunk.fileTitle })
    const folder = path.posix.dirname(file)
    if (path.posix.basename(file) === 'README.md') addresses.set(folder, { url, title: chunk.title })
  }
  return addresses
}

const firstLineOf = ({ chunk }: Page) => chunk.tokens[0]?.map?.[0] ?? 0

function renderPage({ path: url, section, chunk }: Page, places: Places): DocsPage {
  const { entry, title, tokens } = chunk
  // The list of decisions has no file. Its links are relative to the decisions' folder.
  rewriteLinks(tokens, isDecisionsFolder(entry) ? `${DECISIONS}/list` : entry.file, places)
  const env: Rendering = { heading: title }
  return {
    path: url,
    name: entry.name,
    title: title.replace(/^\d+\. /, ''),
    description: entry.description || firstParagraphOf(tokens),
    section,
    headings: headingsOf(tokens),
    html: markdown.renderer.render(tokens, markdown.options, env),
  }
}

function headingsOf(tokens: readonly Token[]): DocsHeading[] {
  return tokens.flatMap((token, index) => {
    const level = Number(token.tag.slice(1))
    if (token.type !== 'heading_open' || (level !== 2 && level !== 3)) return []
    return [{ id: attributeOf(token, 'id'), text: textOf(tokens[index + 1]), level } as const]
  })
}

/** The first paragraph except a decision's date, shortened at a word. */
function firstParagraphOf(tokens: readonly Token[]): string {
  const texts = tokens.flatMap((token, index) =>
    token.type === 'paragraph_open' ? [textOf(tokens[index + 1])] : [],
  )
  const text = texts.find((each) => !each.startsWith('Date: ')) ?? ''
  if (text.length <= DESCRIPTION_LENGTH) return text
  return `${text.slice(0, text.lastIndexOf(' ', DESCRIPTION_LENGTH)).replace(/[,;:.]$/, '')} …`
}

const sectionsOf = (contents: Contents, pages: readonly Page[]): Documentation['sections'] =>
  contents.sections.map(({ title }) => ({
    id: new Slugger().slug(title),
    title,
    pages: pages.filter(({ section }) => section === title).map(({ path: url }) => url),
  }))
