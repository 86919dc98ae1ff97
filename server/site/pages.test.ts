import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import campaign from '#server/testing/campaign.ts'
import { contextOf, SITE } from '../testing/builders/site.ts'
import { CampaignFile } from '#contract/campaign-file.ts'
import { LOCALES, localizedPath } from '#contract/locales.ts'
import { HEADS_PATH } from '#contract/journal.ts'
import { OPENAPI_PATH } from '#web/content/site/api-docs.ts'
import { descriptionOf } from '#web/content/site/page-descriptions.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { NAVIGATION, ROUTES, routeText } from '#web/routes.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import { refuseInline } from '#web/site/to-html.ts'
import { isChecksumRight } from '../platform/eip55.ts'
import { fromRoot } from '../platform/root.ts'
import { loadDocsRenderer, loadRenderer } from './built/built-assets.ts'

const site = await loadRenderer('en')
const docs = await loadDocsRenderer()

const pages = SITE_MAP.filter((route) => route.kind === 'page')
const KNOWN = [
  HEADS_PATH,
  OPENAPI_PATH,
  DOCS_PATH,
  ...SITE_MAP.flatMap(({ id }) => LOCALES.map((locale) => localizedPath(locale, id))),
]
const cards = Object.fromEntries(
  SITE_MAP.map(({ path: url }) => [url, { url: `/pictures${url}-1.png`, alt: `A card for ${url}` }]),
)
const context = contextOf(campaign, cards)

test('the campaign of the tests is valid, and its token is a placeholder with a correct checksum', () => {
  assert.ok(CampaignFile.safeParse(campaign).success)
  assert.ok(campaign.token.placeholder)
  assert.ok(isChecksumRight(campaign.token.contract))
})

for (const route of SITE_MAP)
  test(`${route.path} renders with title, description, canonical link, share picture and nothing inline`, () => {
    const html = site.renderRoute(route, context)
    assert.match(html, /^<!DOCTYPE html><html lang="en" dir="ltr"(?: data-sandbox="")?>/)
    assert.ok(html.includes(`<title>${routeText(route.title, campaign.token)}</title>`))
    assert.ok(html.includes(`content="${routeText(descriptionOf(route), campaign.token)}"`))
    assert.ok(html.includes(`<link rel="canonical" href="${SITE}${route.path}"/>`))
    assert.equal(html.includes('name="robots" content="noindex"'), !route.isIndexed)
    assert.equal(count(html, /<h1[\s>]/g), route.kind === 'screen' ? 0 : 1)
    // A script adds the manifest to a page after the first paint, and a page needs no scripts.
    for (const part of [
      `"${context.assets.appScript}"`,
      'rel="manifest"',
      '>This part of the site needs JavaScript.',
    ])
      assert.equal(html.includes(part), route.kind === 'screen', part)

    const meta = (name: string) =>
      attribute(new RegExp(`<meta (?:property|name)="${name}"[^>]*>`).exec(html)?.[0] ?? '', 'content')
    assert.equal(meta('og:image'), `${SITE}/pictures${route.path}-1.png`)
    assert.equal(meta('og:image:alt'), `A card for ${route.path}`)
    assert.equal(`${meta('og:image:width')} ${meta('og:image:height')}`, '1200 630')
    assert.equal(meta('og:url'), `${SITE}${route.path}`)
    assert.equal(meta('og:title'), routeText(route.title, campaign.token))
    assert.equal(meta('twitter:card'), 'summary_large_image')
    assert.equal(meta('twitter:site'), '@PocketFuturePF')
  })

for (const route of pages)
  test(`${route.path} is marked in its navigation and links only to existing pages`, () => {
    const html = site.renderRoute(route, context)
    assert.ok(count(html, /aria-current="page"/g) >= 1)
    const markedInHeader = html.matchAll(/href="([^"]*)" aria-current="page" class="nav-link"/g)
    const marked = Array.from(markedInHeader, ([, href]) => href)
    assert.deepEqual(marked, NAVIGATION.includes(route) ? [route.path] : [])
    for (const link of html.match(/<a [^>]*>/g) ?? []) {
      const href = attribute(link, 'href')
      if (href.startsWith('https:')) assert.match(link, /target="_blank" rel="noopener"/)
      else if (href.startsWith('mailto:')) assert.equal(href, `mailto:${campaign.smallPrint.contact}`)
      else if (href.startsWith('#')) assert.ok(html.includes(`id="${href.slice(1)}"`), href)
      else assert.ok(KNOWN.includes(href), href)
    }
  })

test('the journal page shows the newest heads in the format that the verifier reads', () => {
  const heads = Array.from({ length: 40 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 11, 31 - index)).toISOString().slice(0, 10),
    number: 4_000 - index,
    hash: String(index).padStart(64, 'a'),
  }))
  const html = site.renderRoute(ROUTES.journal, { ...context, heads })
  assert.equal(count(html, /<time dateTime="2026-/gi), 30, 'it shows thirty heads')
  for (const { hash, number } of heads.slice(0, 30)) assert.ok(html.includes(`${hash}@${number}`))
  assert.ok(html.includes(`--head ${heads[0]?.hash}@4000`))
  assert.match(site.renderRoute(ROUTES.journal, context), /Nothing has been decided yet/)
})

test('every page that mentions the contract calls it a placeholder, but only while it is one', () => {
  const real = { ...context, campaign: { ...campaign, token: { ...campaign.token, placeholder: false } } }
  const mentioning = pages.filter((route) => {
    const text = textOf(site.renderRoute(route, context))
    assert.doesNotMatch(textOf(site.renderRoute(route, real)), /placeholder/i)
    if (!text.includes(campaign.token.contract.slice(0, 6))) return false
    assert.match(text, /The contract address is a placeholder\./, route.path)
    return true
  })
  assert.notDeepEqual(mentioning, [])
})

test('every page shows the risk notice, and repeats it with each hope of future value', () => {
  const hopeful = pages.filter((route) => {
    const text = textOf(site.renderRoute(route, context))
    const hopes = count(text, new RegExp(campaign.texts.wish, 'g'))
    assert.ok(count(text, new RegExp(campaign.texts.risk, 'g')) > hopes, route.path)
    return hopes > 0
  })
  assert.notDeepEqual(hopeful, [])
})

test('About shows what the token is, its features and its channels', () => {
  const html = site.renderRoute(ROUTES.about, context)
  const { texts, token } = campaign
  assert.match(html, new RegExp(`<h1[^>]*>What is ${token.name}\\?</h1>`))
  assert.ok(textOf(html).includes(texts.about))
  for (const { title, text } of texts.features) {
    assert.match(html, new RegExp(`<h2[^>]*>${title}</h2>`))
    assert.ok(textOf(html).includes(text), title)
  }
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  for (const address of Object.values(token.socials)) assert.ok(main.includes(`href="${address}"`), address)
})

test('Tokenomics states the supply and five facts', () => {
  const html = site.renderRoute(ROUTES.tokenomics, context)
  assert.match(textOf(html), /Total supply\s+1,000,000,000/)
  const facts = [...html.matchAll(/<li class="fact-row.*?<\/li>/g)].map(([fact]) => fact)
  assert.deepEqual(
    facts.map((fact) => /<h2[^>]*>([^<]*)/.exec(fact)?.[1]),
    [
      'Burned liquidity',
      'Renounced contract',
      'Community driven',
      'Native to PulseChain',
      'Transparent, zero taxes',
    ],
  )
  for (const [index, { text }] of campaign.texts.facts.entries())
    assert.ok(textOf(facts[index] ?? '').includes(text), text)
})

test('the roadmap marks each phase with its state', () => {
  const html = site.renderRoute(ROUTES.roadmap, context)
  const phases = html.matchAll(
    /<li class="stop" data-status="([^"]*)".*?<h2[^>]*>([^<]*)<\/h2>.*?<p[^>]*>(.*?)<\/p>/g,
  )
  assert.deepEqual(
    Array.from(phases, ([, status, phase, stamp = '']) => [phase, status, textOf(stamp).trim()]),
    [
      ['Meme Launch', 'completed', 'Completed'],
      ['Community Expansion', 'in-progress', 'In Progress'],
      ['Pulse Takeover', 'upcoming', 'Upcoming'],
      ['Ecosystem Expansion', 'upcoming', 'Upcoming'],
      ['The Future', 'upcoming', 'Upcoming'],
    ],
  )
})

test('campaign text cannot break out of the data embedded in the shell', () => {
  const hostile = { ...campaign, name: '</script><script>alert(1)</script>' }
  const html = site.renderRoute(ROUTES.airdrop, { ...context, campaign: hostile })
  const json = /<script type="application\/json" id="campaign">(.*?)<\/script>/.exec(html)?.[1]
  assert.equal((JSON.parse(json ?? '') as CampaignFile).name, hostile.name)
})

test('the home page has structured data that campaign text cannot break out of', () => {
  const hostile = { ...campaign, token: { ...campaign.token, name: '</script><script>alert(1)</script>' } }
  const html = site.renderRoute(ROUTES.home, { ...context, campaign: hostile })
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1]
  const { '@graph': graph } = JSON.parse(json ?? '') as { '@graph': Record<string, unknown>[] }
  const names = graph.map((node) => node['name'])
  assert.deepEqual(names, [hostile.token.name, hostile.token.name])
  assert.deepEqual(graph[1]?.['sameAs'], Object.values(campaign.token.socials))
})

test('screens link only to pages of the documentation that exist', () => {
  const linked = globSync('web/**/*.{ts,tsx}', { cwd: fromRoot('.') }).flatMap((file) =>
    [...readFileSync(fromRoot(file), 'utf8').matchAll(/\$\{DOCS_PATH\}(\/[^`'"$?#*]+)/g)].map(
      ([, below = '']) => `${DOCS_PATH}${below}`,
    ),
  )
  assert.ok(linked.includes(`${DOCS_PATH}/webhooks`))
  const unknown = linked.filter((url) => !docs.docsPaths.includes(url))
  assert.deepEqual(unknown, [])
})

test('every page of the documentation has its own title, description and canonical link', () => {
  const titles = new Set<string>()
  for (const url of docs.docsPaths) {
    const html = docs.renderDocs(url, context, '/assets/documentation-1.js')
    assert.match(html, /^<!DOCTYPE html><html lang="en"/)
    assert.equal(count(html, /<h1[\s>]/g), 1, url)
    assert.ok(html.includes(`<link rel="canonical" href="${SITE}${url}"/>`), url)
    assert.match(html, /<meta name="description" content="[^"]{15,}"/, url)
    assert.match(html, /property="og:image" content="https:\/\/almanac\.example\/pictures\/-1\.png"/) // Home's
    titles.add(/<title>([^<]+)/.exec(html)?.[1] ?? '')
    for (const link of html.match(/<a [^>]*href="https:[^>]*>/g) ?? [])
      assert.match(link, /target="_blank" rel="noopener"/)
    // tools/docs/compile.test.ts checks the links in texts.
    for (const link of html.match(/<a [^>]*class="docs-(nav|index|neighbor)[^>]*>/g) ?? [])
      assert.ok(docs.docsPaths.includes(attribute(link, 'href')), link)
  }
  assert.equal(titles.size, docs.docsPaths.length)
  assert.ok(titles.size > 60)
})

test('an unknown path gets a not-found page that is not indexed and leads home', () => {
  const html = site.renderNotFound(context)
  assert.equal(count(html, /<h1[\s>]/g), 1)
  assert.match(html, /<a href="\/"[^>]*>Back to Home<\/a>/)
  assert.match(html, /We couldn’t find this page/)
  assert.match(html, /content="noindex"/)
  assert.doesNotMatch(html, /rel="canonical"/)
})

test('a page with an inline script, style or handler is refused', () => {
  for (const inline of [
    '<script>1</script>',
    '<script type="module">1</script>',
    '<style>a{}</style>',
    '<p style="color:red">',
    '<button onclick="x()">',
    '<a href="javascript:x()">',
  ])
    assert.throws(() => refuseInline(`<body>${inline}</body>`), /nothing inline/, inline)
  refuseInline('<script src="/a.js"></script><script type="application/json" id="x">{}</script>')
})

function attribute(tag: string, name: string): string {
  return (new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replaceAll('&amp;', '&')
}

function textOf(html: string): string {
  const body = html.slice(Math.max(0, html.indexOf('<body')))
  return body
    .replaceAll(/<script.*?<\/script>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
