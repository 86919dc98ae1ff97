import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import defaultCampaign from '#server/testing/campaign.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { deadAddress, replyWith, serveStub } from '#server/testing/fakes/http-stub.ts'
import { embedOf } from '#server/testing/checks/recorded.ts'
import type { CheckResult, ClaimToCheck } from './finding.ts'
import { hashtagsIn, isTruncated, postSource, postTextOf } from './post.ts'

const CLAIM = {
  twitter: 'MoonBoy',
  post_id: '2006000000000000042',
  retweet_link: 'https://x.com/MoonBoy/status/2006000000000000042',
} as ClaimToCheck
const POST = { by: 'moonboy', id: CLAIM.post_id, text: 'Future in my pocket #PocketFuture #PulseChain' }

async function runWith(t: TestContext, listener: RequestListener, campaign = defaultCampaign) {
  const url = `${await serveStub(t, listener)}/oembed`
  const http = createHttpClient({ allow: [url], timeoutMs: 20_000 })
  return postSource(http, url, campaign).run(CLAIM)
}

const outcomesOf = ({ findings }: CheckResult) =>
  Object.fromEntries(findings.map(({ check, outcome }) => [check, outcome]))

const runForOutcomes = async (t: TestContext, listener: RequestListener) =>
  outcomesOf(await runWith(t, listener))

const ALL_CONFIRMED = { post: 'confirmed', 'post-author': 'confirmed', 'post-hashtags': 'confirmed' }
const ALL_UNKNOWN = {
  post: 'could_not_tell',
  'post-author': 'could_not_tell',
  'post-hashtags': 'could_not_tell',
}

test('requests the post from oEmbed and keeps a copy of the reply', async (t) => {
  const asked: string[] = []
  const { findings, postText } = await runWith(t, (request, response) => {
    asked.push(request.url ?? '')
    replyWith(embedOf(POST))(request, response)
  })
  const link = encodeURIComponent(CLAIM.retweet_link)
  assert.deepEqual(asked, [`/oembed?url=${link}&omit_script=1&dnt=true`])
  assert.equal(postText, POST.text)
  assert.equal(findings.length, 3, 'one for each check')
  for (const { outcome, copy, retry } of findings) {
    assert.equal(outcome, 'confirmed')
    assert.equal(copy?.status, 200)
    assert.deepEqual(JSON.parse(copy?.text ?? ''), embedOf(POST))
    assert.match(copy?.hash ?? '', /^[0-9a-f]{64}$/)
    assert.equal(retry, undefined)
  }
})

test('accepts a reply with the post’s link at x.com or at twitter.com', async (t) => {
  for (const host of ['x.com', 'twitter.com'] as const)
    assert.deepEqual(await runForOutcomes(t, replyWith(embedOf({ ...POST, host }))), ALL_CONFIRMED)
})

test('compares the author that X reports, not the handle in the link', async (t) => {
  const ofSomebody = await runForOutcomes(t, replyWith(embedOf({ ...POST, by: 'somebody' })))
  assert.deepEqual(ofSomebody, { ...ALL_CONFIRMED, 'post-author': 'contradicted' })
})

test('requires all hashtags in the post text, and is inconclusive if the text is truncated', async (t) => {
  const withText = (text: string, name?: string) =>
    runForOutcomes(t, replyWith(embedOf({ ...POST, text, ...(name ? { name } : {}) })))
  const missing = { ...ALL_CONFIRMED, 'post-hashtags': 'contradicted' }
  assert.deepEqual(await withText('#pocketfuture #PULSECHAIN'), ALL_CONFIRMED)
  assert.deepEqual(await withText('#PocketFuture'), missing)
  const onlyInName = await withText('nothing', '#PocketFuture #PulseChain')
  assert.deepEqual(onlyInName, missing)
  assert.deepEqual(await withText('a long story…'), { ...ALL_CONFIRMED, 'post-hashtags': 'could_not_tell' })
})

test('skips the hashtag check for a campaign without hashtags', async (t) => {
  const tasks = defaultCampaign.airdrop.tasks.map(({ hashtags: _none, ...task }) => task)
  const withoutHashtags = { ...defaultCampaign, airdrop: { ...defaultCampaign.airdrop, tasks } }
  const { findings } = await runWith(t, replyWith(embedOf(POST)), withoutHashtags)
  const checks = findings.map(({ check }) => check)
  assert.deepEqual(checks, ['post', 'post-author'])
})

test('is inconclusive and retries if X does not show the post', async (t) => {
  for (const status of [404, 403, 401, 400]) {
    const { findings } = await runWith(t, replyWith({ error: 'no' }, status))
    assert.equal(findings.length, 3)
    for (const { outcome, retry, copy, found } of findings) {
      assert.equal(outcome, 'could_not_tell')
      assert.deepEqual(found, { code: 'post_not_shown', status })
      assert.ok(retry)
      assert.equal(copy?.status, status)
    }
  }
})

test('is inconclusive if the reply is wrong, malformed or missing', async (t) => {
  const valid = embedOf(POST)
  const wrongReplies: unknown[] = [
    embedOf({ ...POST, id: '2006000000000000043' }),
    { ...valid, url: 'https://x.com.evil.example/moonboy/status/2006000000000000042' },
    { ...valid, author_url: 'https://evil.example/moonboy' },
    // Both letters that look like “o” are Cyrillic.
    { ...valid, author_url: 'https://x.com/m\u043e\u043enboy' },
    { ...valid, author_url: 'https://x.com/moonboy/status/1' },
    { ...valid, author_url: undefined },
    { ...valid, author_url: ['https://x.com/moonboy'] },
    { ...valid, html: '' },
    { ...valid, html: 5 },
    // Longer than the HTML of a post may be.
    { ...valid, html: `<p>${'x'.repeat(30_000)}</p>` },
    { ...valid, url: null },
    [],
    null,
    'text',
    {},
  ]
  for (const body of wrongReplies.map((reply) => JSON.stringify(reply)))
    assert.deepEqual(await runForOutcomes(t, replyWith(body)), ALL_UNKNOWN, body)

  const asWebPage = replyWith(valid, 200, { 'content-type': 'text/html' })
  for (const fault of [asWebPage, replyWith({}, 500)])
    assert.deepEqual(await runForOutcomes(t, fault), ALL_UNKNOWN)
  const dead = await deadAddress(t)
  const source = postSource(createHttpClient({ allow: [dead] }), dead, defaultCampaign)
  assert.deepEqual(outcomesOf(await source.run(CLAIM)), ALL_UNKNOWN)
})

test('retries every check after the delay in the header Retry-After', async (t) => {
  const { findings } = await runWith(t, replyWith({}, 429, { 'retry-after': '77' }))
  const retries = findings.map(({ retry }) => retry)
  assert.deepEqual(retries, [{ afterSeconds: 77 }, { afterSeconds: 77 }, { afterSeconds: 77 }])
})

test('stores at most 4,000 characters of a reply, without those that the database rejects', async (t) => {
  const noise = `{"a":"${'😀\0'.repeat(4_000)}"}`
  const { findings } = await runWith(t, replyWith(noise))
  const text = findings[0]?.copy?.text ?? ''
  assert.ok(text.length === 4_000 && text.isWellFormed() && !text.includes('\0'))
})

const tagsOf = (text: string) => [...hashtagsIn(text)]

test('takes the first paragraph, without markup, as the text of a post', () => {
  // The author's name follows the paragraph. The letter İ is longer in lower case, which shifts positions.
  for (const text of ['a <b> & "c"\nsecond line #PocketFuture', `${'İ'.repeat(30)} so on…`])
    assert.equal(postTextOf(embedOf({ by: 'moonboy', id: '1', name: '#NotMine </p>', text }).html), text)
})

test('decodes the entities of a post once and replaces invalid code points', () => {
  const read = (inside: string) => postTextOf(`<p>${inside}</p>`)
  assert.equal(read('&amp;lt;b&amp;gt;'), '&lt;b&gt;')
  assert.equal(read('&#35;Tag &#x23;tag &quot;&apos;&nbsp;x'), '#Tag #tag "\'\u00A0x')
  assert.equal(read('&#0;&#xD800;&#9999999;'), '\uFFFD\uFFFD\uFFFD')
  assert.equal(read('&unknown; & &;'), '&unknown; & &;')
})

test('finds no text of a post in HTML without a complete paragraph', () => {
  for (const html of ['', '<blockquote>x</blockquote>', '<p>never closed', '<pre>x</pre>', '</p><p'])
    assert.equal(postTextOf(html), undefined, html)
  assert.equal(postTextOf('<script>alert(1)</script><P class="a">x</P>'), 'x')
})

test('parses hostile input in linear time', () => {
  const maxCpuMicroseconds = 500_000
  for (const piece of ['<p', '<p ', '<', '&', '&#', '#', '<br', '…', '\n', 'a'])
    for (const html of [piece.repeat(20_000), `<p>${piece.repeat(20_000)}</p>`]) {
      const before = process.cpuUsage()
      hashtagsIn(postTextOf(html) ?? html)
      isTruncated(html)
      assert.ok(process.cpuUsage(before).user < maxCpuMicroseconds, `${piece} repeated`)
    }
})

test('finds whole-word hashtags after # and its full-width form, ignoring case', () => {
  assert.deepEqual(tagsOf('#PocketFuture,#pulsechain! ＃Three'), ['#pocketfuture', '#pulsechain', '#three'])
  assert.deepEqual(tagsOf('a#b &#c https://x.example/#d # e'), ['#d'])
})

test('distinguishes hashtags that look alike', () => {
  // The letter that looks like “P” is Cyrillic.
  assert.deepEqual(tagsOf('#\u0420ocketFuture'), ['#\u0440ocketfuture'])
  assert.deepEqual(tagsOf('#PocketFutureé #Pocket\u200BFuture'), ['#pocketfutureé', '#pocket'])
})

test('detects a truncated post by its ellipsis', () => {
  for (const text of ['and so on…', 'and so on… https://t.co/aB3dE', 'and so on...'])
    assert.equal(isTruncated(text), true, text)
  for (const text of ['well… that is all', 'all']) assert.equal(isTruncated(text), false, text)
})
