import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LOCALES, localizedPath, OPEN_GRAPH_LOCALES } from '#contract/locales.ts'
import campaign from '#server/testing/campaign.ts'
import { EXAMPLE_CARD, SITE, siteWithoutDatabase, startSite } from '../testing/builders/site.ts'
import { refuse, Refusal } from '../platform/refusal.ts'
import { createInvitationPictures } from './invitations.ts'

/** Never exceeds the rate limit. */
const countDrawing = async () => {}

/** A site where PIP7 is the referral code of `pip`. For AWAY7, the database is unreachable. */
const { app } = await startSite(
  { after },
  {
    ...siteWithoutDatabase(campaign),
    findInviter: async (code) => {
      if (code.toUpperCase() === 'AWAY7') throw new Error('the database is away')
      return code.toUpperCase() === 'PIP7' ? { username: 'pip' } : undefined
    },
  },
)

test('the preview of a referral link names the inviter', async () => {
  const plain = await app.inject({ url: '/register' })
  const invited = await app.inject({ url: '/register?ref=pip7' })
  assert.equal(invited.statusCode, 200)
  assert.ok(invited.body.includes(`content="pip invites you to ${campaign.token.name}"`))
  assert.ok(invited.body.includes(`content="${SITE}/pictures/invitation-PIP7.png"`))
  // The document keeps the title of the page.
  assert.equal(/<title>.*<\/title>/.exec(invited.body)?.[0], /<title>.*<\/title>/.exec(plain.body)?.[0])
})

test('a referral link with an unknown or invalid code opens the page without an invitation', async () => {
  const plain = await app.inject({ url: '/register' })
  for (const url of [
    '/register?ref=NOBODY',
    '/register?ref=%3Cb%3E',
    '/register?ref=PIP7&ref=PIP7',
    '/register?ref=',
  ])
    assert.equal((await app.inject({ url })).body, plain.body, url)
})

test('the preview of a referral link is in the language of its address', async () => {
  const titles = new Set<string>()
  for (const locale of LOCALES) {
    const { body } = await app.inject({ url: localizedPath(locale, '/register?ref=pip7') })
    const picture = localizedPath(locale, '/pictures/invitation-PIP7.png')
    assert.ok(body.includes(`property="og:image" content="${SITE}${picture}"`), locale)
    assert.ok(body.includes(`property="og:locale" content="${OPEN_GRAPH_LOCALES[locale]}"`), locale)
    const [, title = ''] = /property="og:title" content="([^"]+)"/.exec(body) ?? []
    assert.ok(title.includes('pip') && title.includes(campaign.token.name), title)
    titles.add(title)
  }
  assert.equal(titles.size, LOCALES.length)
})

test('a page without a referral code has a picture in the language of its address', async () => {
  for (const locale of LOCALES) {
    const picture = `property="og:image" content="${SITE}${localizedPath(locale, '/pictures/')}`
    for (const page of ['/', '/register', '/rules'] as const) {
      const { body } = await app.inject({ url: localizedPath(locale, page) })
      assert.ok(body.includes(picture), `${locale} ${page}`)
    }
  }
})

test('without the database, a referral link opens the page without naming the inviter', async () => {
  const { statusCode, body } = await app.inject('/register?ref=AWAY7')
  assert.equal(statusCode, 200)
  assert.ok(!body.includes('invites you'))
})

test('an invitation has a PNG in the language of its address, which other sites may show', async () => {
  const pngs: Buffer[] = []
  // In sequence, because drawings wait for each other, and the wait has a timeout.
  for (const prefix of ['', '/ar']) {
    const { statusCode, headers, rawPayload } = await app.inject(`${prefix}/pictures/invitation-PIP7.png`)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'])
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    // The width and height in the header of a PNG.
    assert.deepEqual([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)], [1200, 630])
    pngs.push(rawPayload)
  }
  assert.notDeepEqual(pngs[0], pngs[1])
})

test('an unknown or invalid code, or a prefix of no language, has no invitation picture', async () => {
  for (const code of ['NOBODY', '%2e%2e', 'a.b', 'x'.repeat(41)])
    for (const prefix of ['', '/es'])
      assert.equal((await app.inject(`${prefix}/pictures/invitation-${code}.png`)).statusCode, 404, code)
  // English has no prefix.
  for (const prefix of ['/de', '/ES', '/en']) {
    const { headers } = await app.inject(`${prefix}/pictures/invitation-PIP7.png`)
    assert.notEqual(headers['content-type'], 'image/png', prefix)
  }
})

test('pictures are drawn once, one at a time, and failures are not cached', async () => {
  const drawn: string[] = []
  let atOnce = 0
  const pictures = createInvitationPictures({
    countDrawing,
    draw: async ({ headline }) => {
      atOnce += 1
      assert.equal(atOnce, 1)
      await new Promise(setImmediate)
      atOnce -= 1
      drawn.push(headline)
      if (drawn.length === 3) throw new Error('no room')
      return new Uint8Array([drawn.length])
    },
  })
  const get = (headline: string) => pictures.get({ ...EXAMPLE_CARD, headline }, '192.0.2.1')
  assert.deepEqual(await Promise.all([get('a'), get('a'), get('b')]), [
    new Uint8Array([1]),
    new Uint8Array([1]),
    new Uint8Array([2]),
  ])
  await assert.rejects(get('c'), /no room/)
  assert.deepEqual(await get('c'), new Uint8Array([4]))
  assert.deepEqual(await get('a'), new Uint8Array([1]))
  assert.deepEqual(drawn, ['a', 'b', 'c', 'c'])
})

/** All drawings wait for `gate`. `drawn` lists their headlines in the order in which they began. */
function gatedPictures(count: (network: string) => Promise<void> = countDrawing) {
  const drawn: string[] = []
  const gate = Promise.withResolvers<void>()
  const pictures = createInvitationPictures({
    countDrawing: count,
    draw: async ({ headline }) => {
      drawn.push(headline)
      await gate.promise
      return new Uint8Array([1])
    },
  })
  const get = (headline: string, network: string) =>
    pictures.get({ ...EXAMPLE_CARD, headline }, network).then(
      () => 'drawn',
      (error: unknown) => (error instanceof Refusal ? error.code : 'broken'),
    )
  return { drawn, gate, get, pictures }
}

test('networks take turns, and only a network that exceeds its share of the queue is refused', async () => {
  const { drawn, gate, get, pictures } = gatedPictures()
  const crowd = Array.from({ length: 8 }, (_, number) => get(`crowd ${number}`, '192.0.2.1'))
  const other = get('other', '192.0.2.2')
  await new Promise(setImmediate)
  gate.resolve()
  assert.equal(await other, 'drawn')
  // The first began before the others came; then it is the turn of each network.
  assert.deepEqual(drawn.slice(0, 3), ['crowd 0', 'crowd 1', 'other'])
  // One drawing is in progress, and six more may wait for each network.
  assert.deepEqual(await Promise.all(crowd), [...Array<string>(7).fill('drawn'), 'rate_limited'])
  await pictures.close()
})

test('drawings count toward the caller’s rate limit, but cached pictures do not', async () => {
  const counted: string[] = []
  const { gate, get } = gatedPictures(async (network) => {
    counted.push(network)
    if (network === '192.0.2.1') throw refuse('rate_limited', { retryAfter: 60 })
  })
  gate.resolve()
  const simultaneous = ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map((network) => get('a', network))
  assert.deepEqual(await Promise.all(simultaneous), ['rate_limited', 'rate_limited', 'drawn'])
  assert.equal(await get('a', '192.0.2.1'), 'drawn')
  assert.equal(await get('b', '192.0.2.1'), 'rate_limited')
  assert.deepEqual(counted, ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1'])
})
