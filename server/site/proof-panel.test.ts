import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeHTMLStrict as plain } from 'entities/decode'
import { contextOf } from '#server/testing/builders/site.ts'
import placeholder from '#server/testing/campaign.ts'
import { describeProof, PLACEHOLDER } from '../domain/token-proofs/read-proofs.ts'
import { checkAt, OWNED, REAL_TOKEN as launched } from '../testing/builders/token-checks.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ProofWithReasons } from '#contract/token-proofs.ts'
import { PROOF_CLAIMS, type ProofClaim, type Reason } from '#contract/token-proofs/proof.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import { loadRenderer } from './built/built-assets.ts'

const { renderRoute } = await loadRenderer('en')

const WITH_PANEL = [ROUTES.home, ROUTES.tokenomics]
const SILENT = { code: 'no_answer', method: 'eth_call', failure: { kind: 'garbage' } } as const

const BLOCK = 24_500_123
const CHECKED_AT = Date.parse('2026-11-22T15:04:12Z') / 1_000

/** The proofs of an honest token, with other `reasons` for some claims. No verdict has changed before. */
function tokenProofs(
  campaign: CampaignFile,
  reasons: Partial<Record<ProofClaim, Reason>> = {},
): ProofWithReasons[] {
  return checkAt(BLOCK, reasons).proofs.map(({ claim, verdict, reason, asked }) =>
    describeProof(campaign, {
      claim,
      outcome: { verdict, reason, asked, block: BLOCK },
      checkedAt: CHECKED_AT,
      changes: [],
    }),
  )
}

const render = (
  route: Route,
  proofs: readonly ProofWithReasons[],
  campaign: CampaignFile = launched,
): string => renderRoute(route, { ...contextOf(campaign), proofs })

const verdictsOf = (html: string) =>
  Array.from(html.matchAll(/data-verdict="(\w+)"[^>]*>.*?<\/svg>([^<]+)</g), ([, name, word]) => [name, word])
const everyClaim = (shown: string[]) => PROOF_CLAIMS.map(() => shown)
const stampCount = (html: string) => html.match(/>Verified</g)?.length ?? 0

test('the tag of each claim shows all details of the proof, with links and commands', () => {
  const proofs = tokenProofs(launched)
  for (const route of WITH_PANEL) {
    const html = plain(render(route, proofs))
    assert.deepEqual(verdictsOf(html), everyClaim(['proven', 'Proven']))
    for (const { asked, answer, limits, explorer } of proofs)
      for (const shown of [asked, answer, limits, `href="${explorer}"`])
        assert.ok(html.includes(shown), shown)
    assert.equal(html.match(/Block 24,500,123</g)?.length, 5)
    assert.equal(html.match(/<time dateTime="2026-11-22T15:04:12.000Z">22 Nov 2026, 15:04 UTC</gi)?.length, 5)
    for (const claim of PROOF_CLAIMS) assert.ok(html.includes(`href="/check#${claim}"`), claim)
    assert.equal(html.match(/<pre class="command">curl /g)?.length, 5)
    assert.match(html, /5\/5/)
  }
})

test('the three verdicts have different words and marks, and only proven claims count', () => {
  const html = render(ROUTES.home, tokenProofs(launched, { ownership: OWNED, tax: SILENT }))
  assert.deepEqual(verdictsOf(html), [
    ['proven', 'Proven'],
    ['not_so', 'Not true'],
    ['proven', 'Proven'],
    ['proven', 'Proven'],
    ['could_not_check', 'Could not check'],
  ])
  assert.match(html, /3\/5/)
  const marks = html.matchAll(/data-verdict="(\w+)".*?<path d="([^"]*)"/g)
  assert.equal(new Set(Array.from(marks, ([, , drawing]) => drawing)).size, 3)
})

test('a page in another language has no English sentences', async () => {
  const spanish = await loadRenderer('es')
  const context = { ...contextOf(launched), proofs: tokenProofs(launched) }
  for (const route of [...WITH_PANEL, ROUTES.check]) {
    const html = plain(spanish.renderRoute(route, context))
    for (const { asked, answer, limits } of context.proofs)
      for (const english of [asked, answer, limits]) assert.ok(!html.includes(english), english)
    assert.match(html, /¿/)
  }
})

test('a text that states a claim is stamped Verified only while the claim is proven', () => {
  const countStated = (list: readonly { claim?: string | undefined }[]) =>
    list.filter(({ claim }) => claim !== undefined).length
  const features = countStated(launched.texts.features)
  const facts = countStated(launched.texts.facts)
  assert.ok(features > 1 && facts > 1)
  for (const [route, stated] of [
    [ROUTES.home, features],
    [ROUTES.about, features],
    [ROUTES.tokenomics, facts],
  ] as const) {
    assert.equal(stampCount(render(route, tokenProofs(launched))), stated, route.path)
    // One of the features and one of the facts state that there is no tax.
    assert.equal(stampCount(render(route, tokenProofs(launched, { tax: SILENT }))), stated - 1, route.path)
    assert.equal(stampCount(render(route, [])), 0, route.path)
  }
  assert.equal(stampCount(render(ROUTES.tokenomics, tokenProofs(launched, { ownership: OWNED }))), facts - 1)
})

test('every tag about a placeholder contract says so, and nothing is verified', () => {
  const proofs = PROOF_CLAIMS.map((claim) =>
    describeProof(placeholder, { claim, outcome: PLACEHOLDER, checkedAt: null, changes: [] }),
  )
  for (const route of WITH_PANEL) {
    const html = render(route, proofs, placeholder)
    assert.deepEqual(verdictsOf(html), everyClaim(['placeholder', 'Placeholder']))
    assert.equal(stampCount(html), 0)
    assert.match(html, /0\/5/)
    assert.doesNotMatch(html, /<pre class="command">|Block explorer</)
  }
})

test('/check has one classic script, no links to new tabs, and nothing that its policy forbids', () => {
  const html = render(ROUTES.check, tokenProofs(launched))
  const scripts = html.match(/<script(?![^>]*application\/json)[^>]*>/g)
  assert.equal(scripts?.length, 1)
  assert.match(scripts?.[0] ?? '', /src="\/assets\/check-1\.js"/)
  assert.doesNotMatch(scripts?.[0] ?? '', /module/)
  assert.doesNotMatch(html, /target="_blank"|rel="(icon|manifest|preload)"|<img|<form|head\.js/)
  assert.match(html, /They also work if JavaScript is turned off\./)
  assert.equal(
    html.match(/<details><summary[^>]*>[^<]+<\/summary><pre class="command">curl [^<]*eth_/g)?.length,
    5,
  )
  assert.ok(html.includes(launched.texts.risk))
})

test('no text of the campaign file or of a node breaks out of /check or of the panel', () => {
  const markup = `"'</script><img src=x><script>alert(1)</script>`
  const token = { ...launched.token, name: markup, symbol: markup }
  const chain = { ...launched.chain, name: markup, rpcUrl: `https://rpc.example/?'"<${markup}` }
  const hostile = { ...launched, token, chain }
  const proofs = tokenProofs(hostile).map((proof) => ({ ...proof, answer: markup, reason: markup }))
  for (const route of [...WITH_PANEL, ROUTES.check])
    assert.doesNotMatch(render(route, proofs, hostile), /<img/, route.path)
  const html = render(ROUTES.check, proofs, hostile)
  const [, json = ''] = /<script type="application\/json" id="subject">(.*?)<\/script>/.exec(html) ?? []
  const subject = JSON.parse(json) as { token: unknown; chain: unknown; proofs: { reason: string }[] }
  assert.deepEqual(subject.token, token)
  assert.deepEqual(subject.chain, chain)
  const shown = subject.proofs.map(({ reason }) => reason)
  assert.deepEqual(shown, Array(5).fill(markup))
})
