import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { campaign } from '#contract/campaign.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import { DEFAULT_LOCALE, type Locale, LOCALES } from '#contract/locales.ts'
import { wholeNumber } from '#contract/protocol/parameters.ts'
import type { Deps } from '#server/deps.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import { readCampaign } from '#server/domain/campaign/read-campaign.ts'
import { readBoard } from '#server/domain/leaderboard/read-board.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import { fixedSource, type PublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { WIDGET } from '#server/platform/http/security/security-headers.ts'
import { refuse } from '#server/platform/refusal.ts'
import { fromRoot } from '#server/platform/root.ts'
import { renderLeaderboard, renderSlots, SCRIPT_PATH, STYLE_PATH, type Theme } from './render-widget.ts'

const Appearance = {
  theme: z._default(z.enum(['light', 'dark', 'auto']), 'auto'),
  // Any value is allowed, so that visitors of another site see English instead of an error.
  lang: z.optional(z.unknown()),
}
const SlotsQuery = z.strictObject(Appearance)
const LeaderboardQuery = z.strictObject({ ...Appearance, rows: wholeNumber(1, 10, 5) }) // by default 5

const HTML = {
  type: 'text/html; charset=utf-8',
  headers: { ...WIDGET, 'cache-control': 'public, max-age=1, stale-while-revalidate=5' },
  compression: 'fast',
} as const
/** Only for an hour, because the URLs of the style sheet and the script contain no hash. */
const FILE_CACHE = { 'cache-control': 'public, max-age=3600' }

type WidgetDeps = Pick<Deps, 'publicReads' | 'campaign'>

/** Serves the widgets, the only pages that other sites may show in a frame. */
export async function serveWidgets(
  app: FastifyInstance,
  deps: WidgetDeps,
  { publicUrl, publicAnswers }: { publicUrl: string; publicAnswers: PublicAnswers },
): Promise<void> {
  const frameOf = (theme: Theme, locale: Locale) => ({
    name: campaignIn(deps.campaign, locale).name,
    publicUrl,
    theme,
    locale,
  })
  // The path of an endpoint names the group of answers that a source expires with.
  app.get('/widget/slots', (request, reply) => {
    const { theme, lang } = readQuery(SlotsQuery, request.query)
    const locale = localeFor(lang)
    const source = publicAnswers.source(`widget slots ${theme} ${locale}`, campaign.path, async () => {
      const shown = await deps.publicReads.read((db) => readCampaign({ db, campaign: deps.campaign }))
      return createAnswer(renderSlots(shown, frameOf(theme, locale), Date.now()), HTML)
    })
    return publicAnswers.send(request, reply, source)
  })
  app.get('/widget/leaderboard', (request, reply) => {
    const { theme, rows, lang } = readQuery(LeaderboardQuery, request.query)
    const locale = localeFor(lang)
    const key = `widget leaderboard ${theme} ${rows} ${locale}`
    const source = publicAnswers.source(key, leaderboard.path, async () => {
      const page = { page: 1, limit: rows }
      const { data } = await deps.publicReads.read((db) => readBoard(db, deps.campaign.id, page))
      return createAnswer(renderLeaderboard(data, frameOf(theme, locale), rows), HTML)
    })
    return publicAnswers.send(request, reply, source)
  })
  const style = (await readTokens()) + (await readWidgetFile('widget.css'))
  const files = [
    { url: STYLE_PATH, type: 'text/css; charset=utf-8', text: style },
    { url: SCRIPT_PATH, type: 'text/javascript; charset=utf-8', text: await readWidgetFile('widget.js') },
  ]
  for (const { url, type, text } of files) {
    const file = fixedSource(await createAnswer(text, { type, headers: FILE_CACHE, compression: 'best' }))
    app.get(url, (request, reply) => publicAnswers.send(request, reply, file))
  }
}

const readWidgetFile = (name: string) => readFile(fromRoot(`server/site/widgets/${name}`), 'utf8')

const COLORS = ['paper', 'ink', 'ink-soft', 'accent', 'accent-text', 'hairline']

/** Declares the colors that the widgets share with the pages. */
async function readTokens(): Promise<string> {
  const tokens = await readFile(fromRoot('web/styles/tokens.css'), 'utf8')
  const declarations = COLORS.map((color) => {
    const [declaration] = new RegExp(`--color-${color}: [^;]+;`).exec(tokens) ?? []
    if (!declaration) throw new Error(`web/styles/tokens.css has no color ${color}.`)
    return declaration
  })
  return `:root{${declarations.join('')}}\n`
}

/** The language of a tag, whatever its region, or the default language for an unknown tag. */
function localeFor(lang: unknown): Locale {
  if (typeof lang !== 'string') return DEFAULT_LOCALE
  const language = languageOf(lang)
  return LOCALES.find((locale) => languageOf(locale) === language) ?? DEFAULT_LOCALE
}

const languageOf = (tag: string) => tag.replace(/-.*/s, '').toLowerCase()

function readQuery<Shape extends z.core.$ZodType>(shape: Shape, query: unknown): z.output<Shape> {
  const parsed = z.safeParse(shape, query)
  if (!parsed.success) throw refuse('invalid_input')
  return parsed.data
}
