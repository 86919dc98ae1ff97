import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitFile } from './chunks.ts'
import { markdown, parseMarkdown } from './markdown.ts'

const render = (text: string) =>
  markdown.renderer.render(parseMarkdown(text), markdown.options, { heading: 'Top' })

test('raw HTML is shown as text, and a link cannot run a script', () => {
  const html = render('<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [y](data:text/html,z)')
  assert.doesNotMatch(html, /<img|href=/)
  assert.match(html, /&lt;img src=x onerror=alert\(1\)&gt;/)
})

test('code can be copied unless it is a drawing, and what it holds is text', () => {
  assert.match(render('```sh\nnpm start # <b>\n```'), /<code>npm start # &lt;b&gt;\n<\/code>.*docs-copy/s)
  assert.match(render('```\n$ npm start\nReady\n```'), /docs-copy/)
  assert.doesNotMatch(render('```\n┌──┐\n```'), /docs-copy/)
})

test('a column is aligned by a class, and tables and code can be focused to scroll', () => {
  const html = render('| a | b |\n| --- | ---: |\n| 1 | 2 |\n')
  assert.match(html, /<div class="docs-table" role="group" aria-label="Table: Top" tabindex="0"><table>/)
  assert.match(html, /<td>1<\/td>\s*<td class="docs-end">2<\/td>/)
  assert.match(render('```sh\nx\n```'), /<pre role="group" aria-label="Code: Top" tabindex="0"/)
})

test('comments for tools do not show', () => {
  assert.equal(render('<!-- marks -->\nText\n<!-- /marks -->\n'), '<p>Text</p>\n')
})

const FILE = '# File\n\nAbove.\n\n## One\n\n1\n\n### Part\n\n## Two\n\n2\n\n## Three\n\n3\n'
const entry = (name: string, anchor?: string) => ({ name, anchor, description: '', file: 'docs/file.md' })

test('a page goes on until the next heading of the contents, and one heading alone becomes its title', () => {
  const missing: string[] = []
  const [one, rest] = splitFile(FILE, [entry('Two and three', 'two'), entry('One', 'one')], (text) =>
    missing.push(text),
  )
  const shown = (tokens: Parameters<typeof markdown.renderer.render>[0]) =>
    markdown.renderer
      .render(tokens, markdown.options, { heading: '' })
      .replaceAll(/<a.*?<\/a>|<\/?div[^>]*>|\n/g, '')
  assert.equal(shown(one?.tokens ?? []), '<p>Above.</p><p>1</p><h2 id="part">Part</h2>')
  assert.deepEqual(one?.anchors.get('one'), '')
  assert.equal(shown(rest?.tokens ?? []), '<h2 id="two">Two</h2><p>2</p><h2 id="three">Three</h2><p>3</p>')
  assert.deepEqual(
    [rest?.title, rest?.anchors.get('two'), rest?.anchors.get('three')],
    ['Two and three', '', 'three'],
  )
  assert.equal(missing.join(), '')
  splitFile(FILE, [entry('Gone', 'gone')], (text) => missing.push(text))
  assert.match(missing.join(), /docs\/file\.md#gone, which does not exist/)
})
