import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { channels, hasColors, type Look, paletteOf } from '#contract/look.ts'
import { parsePictureReference, type StoredPicture } from '#contract/dashboard/pictures.ts'
import { type CampaignSource, perCampaign } from '#server/domain/campaign/live-campaign.ts'
import { CACHE_FOREVER, createAnswer } from '#server/platform/http/public-answers/answer.ts'
import { sendAnswer } from '#server/platform/http/public-answers/public-answers.ts'
import { CROSS_ORIGIN } from '#server/platform/http/security/security-headers.ts'

/**
 * The style sheet of a campaign's own look. It has the colors as design tokens, and pictures that replace the
 * product's mark and mascot. The rules are outside of layers, so they take precedence over the built sheets.
 * In forced-colors mode, the colors do not apply.
 * @returns undefined for a campaign without a look.
 */
export function lookCss({ look }: Pick<CampaignFile, 'look'>): string | undefined {
  const logo = parsePictureReference(look?.logo)
  const mascot = parsePictureReference(look?.mascot)
  const rules = [
    ...(look && hasColors(look) ? [colorRules(look)] : []),
    ...(logo ? [logoRules(logo)] : []),
    ...(mascot ? [mascotRules(mascot)] : []),
  ]
  return rules.length > 0 ? `${rules.join('\n')}\n` : undefined
}

/** The design tokens of web/styles/tokens.css that depend on the look. */
function colorRules(look: Look): string {
  const [light, dark] = [paletteOf(look, 'light'), paletteOf(look, 'dark')]
  const tokens = {
    paper: both(light.paper, dark.paper),
    sheet: both(light.sheet, dark.sheet),
    ink: both(light.ink, dark.ink),
    'ink-soft': both(light.inkSoft, dark.inkSoft),
    accent: both(light.accent, dark.accent),
    'on-accent': both(light.onAccent, dark.onAccent),
    'accent-text': both(light.accentText, dark.accentText),
    'on-proof': both(light.onProof, dark.onProof),
    hairline: both(faint(light.ink, 0.12), faint(dark.ink, 0.16)),
    outline: both(faint(light.ink, 0.5), faint(dark.ink, 0.45)),
  }
  const declarations = Object.entries(tokens).map(([name, value]) => `--color-${name}:${value};`)
  return `@media not (forced-colors:active){:root{${declarations.join('')}}}`
}

const both = (light: string, dark: string) => `light-dark(${light},${dark})`
const faint = (color: string, share: number) => `rgb(${channels(color).join(' ')} / ${share})`

/** All pages except the sandbox `/check`, which may not load pictures. */
const PAGES = ':root:not([data-sandbox])'

/** A logo is as high as the mark that it replaces, and at most four times as wide. */
const MAX_LOGO_RATIO = 4

function logoRules({ webp, width, height }: StoredPicture): string {
  const ratio = Math.min(MAX_LOGO_RATIO, width / height).toFixed(3)
  return (
    `${PAGES} svg.brand-mark{block-size:2rem;inline-size:calc(2rem * ${ratio});background:url(${webp}) center / contain no-repeat}` +
    `${PAGES} svg.brand-mark>*{display:none}`
  )
}

/** In the hero, the picture takes the place of the mascot Pip, who looks out of a pocket drawn over it. */
function mascotRules({ webp }: StoredPicture): string {
  return (
    `svg.mascot{background:url(${webp}) bottom / contain no-repeat}svg.mascot>*,svg.pocket .pip-looks{display:none}` +
    `svg.pocket{background:url(${webp}) 26% 3% / auto 46% no-repeat}`
  )
}

/**
 * Serves the style sheet of the campaign's own look. It is cross-origin to `/check`, which has no origin.
 * @returns a function that reads the URL for the current campaign. Undefined for a campaign without a look.
 */
export function serveLook(app: FastifyInstance, live: CampaignSource): () => string | undefined {
  const readSheet = perCampaign(live, (campaign) => {
    const css = lookCss(campaign)
    if (css === undefined) return undefined
    const url = `/look/${createHash('sha256').update(css).digest('hex').slice(0, 16)}.css`
    const options = {
      type: 'text/css; charset=utf-8',
      headers: { ...CROSS_ORIGIN, 'cache-control': CACHE_FOREVER },
      compression: 'best',
    } as const
    return { url, answer: createAnswer(css, options) }
  })
  app.get<{ Params: { file: string } }>('/look/:file', async (request, reply) => {
    const style = readSheet()
    // An open page from before a change still links the former sheet. Reloading the page fixes that.
    if (style?.url !== `/look/${request.params.file}`) return reply.callNotFound()
    return sendAnswer(request, reply, await style.answer)
  })
  return () => readSheet()?.url
}
