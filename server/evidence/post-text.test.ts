import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedOf } from '../testing/recorded.ts'
import { hashtagsIn, isCut, postTextOf } from './post-text.ts'

const tagsOf = (text: string) => [...hashtagsIn(text)]

test('the text of a post is its first paragraph, without markup and without the author', () => {
  const { html } = embedOf({
    by: 'moonboy',
    id: '1',
    name: '#NotMine </p>',
    text: 'a <b> & "c"\nsecond line #PocketFuture',
  })
  assert.equal(postTextOf(html), 'a <b> & "c"\nsecond line #PocketFuture')
})

test('entities are read once, and none makes a character that is none', () => {
  const read = (inside: string) => postTextOf(`<p>${inside}</p>`)
  assert.equal(read('&amp;lt;b&amp;gt;'), '&lt;b&gt;')
  assert.equal(read('&#35;Tag &#x23;tag &quot;&apos;&nbsp;x'), '#Tag #tag "\' x')
  assert.equal(read('&#0;&#xD800;&#9999999;'), '\uFFFD\uFFFD\uFFFD')
  assert.equal(read('&unknown; & &;'), '&unknown; & &;')
})

test('what is no paragraph has no text', () => {
  for (const html of ['', '<blockquote>x</blockquote>', '<p>never closed', '<pre>x</pre>', '</p><p'])
    assert.equal(postTextOf(html), undefined, html)
  assert.equal(postTextOf('<script>alert(1)</script><P class="a">x</P>'), 'x')
})

test('a hostile text takes no time to speak of', () => {
  for (const piece of ['<p', '<p ', '<', '&', '&#', '#', '<br', '…', '\n', 'a'])
    for (const html of [piece.repeat(20_000), `<p>${piece.repeat(20_000)}</p>`]) {
      const before = process.cpuUsage()
      hashtagsIn(postTextOf(html) ?? html)
      isCut(html)
      assert.ok(process.cpuUsage(before).user < 500_000, `${piece} repeated`)
    }
})

test('hashtags are whole words after #, of either width, without regard to case', () => {
  assert.deepEqual(tagsOf('#PocketFuture,#pulsechain! ＃Three'), ['#pocketfuture', '#pulsechain', '#three'])
  assert.deepEqual(tagsOf('a#b &#c https://x.example/#d # e'), ['#d'])
})

test('letters of other scripts that look the same are other hashtags', () => {
  assert.deepEqual(tagsOf('#РocketFuture'), ['#рocketfuture'])
  assert.ok(!hashtagsIn('#РocketFuture').has('#pocketfuture'))
  assert.ok(!hashtagsIn('#PocketFutureé').has('#pocketfuture'))
  assert.ok(!hashtagsIn('#Pocket\u200BFuture').has('#pocketfuture'))
})

test('a post that goes on elsewhere ends in an ellipsis', () => {
  assert.ok(isCut('and so on…') && isCut('and so on… https://t.co/aB3dE') && isCut('and so on...'))
  assert.ok(!isCut('well… that is all') && !isCut('all'))
})
