import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { DOCS_PATH } from '#web/docs-path.ts'
import { searchIn } from '#web/site/docs/search/search.ts'
import { splitFile } from './chunks.ts'
import { compileDocs } from './compile.ts'
import { markdown, parseMarkdown } from './markdown.ts'
import { searchIndex } from './plugin.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const { documentation, files, parts, problems } = await compileDocs(ROOT)
const { pages, sections, pictures } = documentation
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

test('every link in the table of contents and in the documents leads to something that exists', () => {
  assert.deepEqual(problems, [])
})

test('every internal link, anchor and picture of a page exists on the site', () => {
  const anchors = new Map<string, Set<string>>([[DOCS_PATH, new Set(sections.map(({ id }) => id))]])
  for (const { path: url, html } of pages) anchors.set(url, new Set(attributes(html, 'id')))
  for (const { path: url, html, headings } of pages) {
    for (const href of attributes(html, 'href')) {
      if (/^(https?|mailto):/.test(href)) continue
      const [page, anchor] = (href.startsWith('#') ? url + href : href).split('#') as [string, string?]
      assert.ok(anchors.has(page), `${url} links to ${href}`)
      if (anchor !== undefined) assert.ok(anchors.get(page)?.has(anchor), `${url} links to ${href}`)
    }
    for (const src of attributes(html, 'src')) assert.ok(src in pictures, `${url} shows ${src}`)
    for (const { id } of headings) assert.ok(anchors.get(url)?.has(id), `${url}#${id}`)
    assert.equal(new Set(attributes(html, 'id')).size, attributes(html, 'id').length, `${url} repeats an id`)
  }
})

test('every document has a page, and every page is in the contents once', async () => {
  const names = await readdir(path.join(ROOT, 'docs'))
  for (const name of names.filter((each) => each.endsWith('.md')))
    assert.ok(files.includes(`docs/${name}`), `docs/README.md does not list docs/${name}`)
  const listed = sections.flatMap((section) => section.pages)
  assert.equal(new Set(listed).size, listed.length)
  const decisions = pages.filter(({ section }) => section === 'Decisions').map(({ path: url }) => url)
  const paths = pages.map(({ path: url }) => url)
  assert.deepEqual(paths, [...listed, ...decisions])
  const titles = sections.map(({ title }) => title).join(', ')
  assert.equal(titles, 'Operate, Configure, Review, Pay out, Scale, Secure, Extend, Appendix')
})

test('a document split into parts keeps every paragraph', async () => {
  const source = await readFile(path.join(ROOT, 'docs/operating.md'), 'utf8')
  // Compares words of four letters or more, without the targets of links.
  const words = (text: string) =>
    text
      .replaceAll(/\]\([^)]*\)/g, ']')
      .match(/[A-Za-z]{4,}/g)
      ?.join(' ') ?? ''
  const all = words(parts.map(({ text, heading, title }) => `${title} ${heading} ${text}`).join(' '))
  const paragraphs = source.split(/\n{2,}/).filter((each) => /^[A-Z*]/.test(each))
  assert.ok(paragraphs.length > 20)
  for (const paragraph of paragraphs) assert.ok(all.includes(words(paragraph)), paragraph)
})

test('headings on a page begin at level 2, below its title, and skip no level', () => {
  for (const { path: url, html } of pages) {
    let before = 1
    for (const [, level] of html.matchAll(/<h([1-6])[ >]/g)) {
      assert.ok(Number(level) > 1, `${url} has another title`)
      assert.ok(Number(level) <= before + 1, `${url} skips from level ${before} to ${level}`)
      before = Number(level)
    }
  }
})

test('titles are unique within a section, and each page has a short description', () => {
  assert.equal(new Set(pages.map(({ title, section }) => `${section} ${title}`)).size, pages.length)
  for (const { path: url, description } of pages) {
    assert.match(description, /^\S/, url)
    assert.ok(description.length >= 15 && description.length <= 170, `${url}: ${description}`)
  }
})

test('no page has inline scripts, styles or handlers, or unrendered Markdown', () => {
  for (const { path: url, html } of pages) {
    const prose = html.replaceAll(/<(pre|code)[^>]*>.*?<\/\1>/gs, '')
    assert.doesNotMatch(prose, /<script|<style|\sstyle=|\son[a-z]+=|javascript:/i, url)
    assert.doesNotMatch(prose, /&lt;!--|\]\(|^#{1,6} |\*\*/m, url)
  }
})

test('a search lists the page that says how before the decision that says why', () => {
  const search = searchIn(searchIndex(parts))
  const firstUrlFor = (query: string) => search(query)[0]?.url
  assert.equal(firstUrlFor('backups'), '/docs/data-and-backups#backups')
  assert.equal(firstUrlFor('webhook'), '/docs/webhooks#webhooks')
  assert.ok(search('TRUST_PROXY').some(({ url }) => url === '/docs/environment'))
  assert.match(firstUrlFor('rehearse backup') ?? '', /^\/docs\/data-and-backups/)
  assert.ok(search('exit code 78').length > 0)
  // A typing error, a half-typed word, and a word that no page has.
  assert.ok(search('bakups').some(({ url }) => url.startsWith('/docs/data-and-backups')))
  assert.ok(search('leaderb').length > 0)
  assert.deepEqual(search('xyzzyplugh'), [])
  for (const hostile of ['', ' ', '((((', '<img src=x onerror=alert(1)>', '\\', '*', '🙂'.repeat(500)])
    assert.doesNotThrow(() => search(hostile), hostile)
})

const render = (text: string) =>
  markdown.renderer.render(parseMarkdown(text), markdown.options, { heading: 'Top' })

test('raw HTML is shown as text, and a link cannot run a script', () => {
  const html = render('<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [y](data:text/html,z)')
  assert.doesNotMatch(html, /<img|href=/)
  assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;/)
})

test('code is escaped, and has a copy button unless it is a drawing', () => {
  assert.match(render('```sh\nnpm start # <b>\n```'), /<code>npm start # &lt;b&gt;\n<\/code>.*docs-copy/s)
  assert.match(render('```\n$ npm start\nReady\n```'), /docs-copy/)
  assert.doesNotMatch(render('```\n┌──┐\n```'), /docs-copy/)
})

test('columns are aligned by classes, and tables and code can be focused to scroll', () => {
  const html = render('| a | b |\n| --- | ---: |\n| 1 | 2 |\n')
  assert.match(html, /<div class="docs-table" role="group" aria-label="Table: Top" tabindex="0"><table>/)
  assert.match(html, /<td>1<\/td>\s*<td class="docs-end">2<\/td>/)
  assert.match(render('```sh\nx\n```'), /<pre role="group" aria-label="Code: Top" tabindex="0"/)
})

test('comments for tools are left out', () => {
  assert.equal(render('<!-- marks -->\nText\n<!-- /marks -->\n'), '<p>Text</p>\n')
})

const FILE = '# File\n\nAbove.\n\n## One\n\n1\n\n### Part\n\n## Two\n\n2\n\n## Three\n\n3\n'
const entry = (name: string, anchor?: string) => ({ name, anchor, description: '', file: 'docs/file.md' })

test('a page ends at the next heading that the contents name, and a single heading becomes its title', () => {
  const reports: string[] = []
  // Not in the order of the document, in which the pages are returned.
  const entries = [entry('Two and three', 'two'), entry('One', 'one')]
  const [one, rest] = splitFile(FILE, entries, (problem) => reports.push(problem))
  const shown = (tokens: Parameters<typeof markdown.renderer.render>[0]) =>
    markdown.renderer
      .render(tokens, markdown.options, { heading: '' })
      .replaceAll(/<a.*?<\/a>|<\/?div[^>]*>|\n/g, '')
  assert.equal(shown(one?.tokens ?? []), '<p>Above.</p><p>1</p><h2 id="part">Part</h2>')
  assert.equal(one?.anchors.get('one'), '', 'the top of the page')
  assert.equal(shown(rest?.tokens ?? []), '<h2 id="two">Two</h2><p>2</p><h2 id="three">Three</h2><p>3</p>')
  assert.equal(rest?.title, 'Two and three')
  assert.equal(rest.anchors.get('two'), '')
  assert.equal(rest.anchors.get('three'), 'three')
  assert.deepEqual(reports, [])
})

test('a heading that the contents name but that does not exist is reported', () => {
  const reports: string[] = []
  splitFile(FILE, [entry('Gone', 'gone')], (problem) => reports.push(problem))
  assert.match(reports.join(), /docs\/file\.md#gone, which does not exist/)
})
