import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTMLStrict } from 'entities/decode'
import { escapeHtml } from './html.ts'

test('escapes what could end text or a quoted attribute, with escapes that HTML 4 knows', () => {
  assert.equal(
    escapeHtml(`<a href="/?x=1&y=2">it's</a>`),
    '&lt;a href=&quot;/?x=1&amp;y=2&quot;&gt;it&#39;s&lt;/a&gt;',
  )
})

test('a browser reads the text that was escaped, even if it looks like escapes', () => {
  for (const text of ['', 'plain', '&amp;lt;', '&#39;', '&notit;', `"'<>&`, '\u{1f600} & \u00a0'])
    assert.equal(decodeHTMLStrict(escapeHtml(text)), text)
})
