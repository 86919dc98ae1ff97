import type { CampaignFile } from '#contract/campaign-file.ts'
import { parsePictureReference } from '#contract/dashboard/pictures.ts'
import {
  dashboardLocale,
  DEFAULT_LOCALE,
  type Locale,
  localeNamed,
  localizedPath,
} from '#contract/locales.ts'
import { DEFAULT_PALETTES, paletteOf } from '#contract/look.ts'
import type { Deps } from '#server/deps.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import { type Texts, textsIn } from '#server/messages/catalogue.ts'
import type { Database } from '#server/platform/database/database.ts'
import { escapeHtml } from '#server/platform/html.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { compose, type Mail, type Part, WORD_JOINER } from './compose.ts'
import type { QueuedMail } from './send-later.ts'

export type MailContext = { readonly campaign: CampaignFile; publicUrl: string; keys: Keys }

/** Reads the campaign only when an email is rendered, since its settings may change. */
export const mailContext = (deps: Pick<Deps, 'campaign' | 'keys'>, publicUrl: string): MailContext => ({
  get campaign() {
    return deps.campaign
  },
  publicUrl,
  keys: deps.keys,
})

export type LetterContext = MailContext & { locale: Locale; texts: Texts }

export const contextIn = (context: MailContext, locale: Locale): LetterContext => ({
  ...context,
  campaign: campaignIn(context.campaign, locale),
  locale,
  texts: textsIn(locale),
})

/** The URL of a page in the email's language. @param path the page's path in English. */
export const urlOf = ({ publicUrl, locale }: LetterContext, path: `/${string}`): string =>
  publicUrl + localizedPath(locale, path)

/** The name of the campaign that an email is about. For an earlier campaign, it is in the email's values. */
export const campaignNameIn = ({ campaign }: LetterContext, values: Record<string, string>): string =>
  values['campaignId'] === campaign.id ? campaign.name : (values['campaign'] ?? campaign.name)

export type Template = (values: Record<string, string>, context: LetterContext) => Mail

export type Templates = Readonly<Record<string, Template>>

/** Renders a queued email. @throws when no feature has a template of that name. */
export function render(
  queued: QueuedMail,
  templates: Templates,
  context: MailContext,
  locale: Locale = DEFAULT_LOCALE,
): Mail {
  const template = templates[queued.template]
  if (!template) throw new Error(`There is no mail template ${queued.template}.`)
  const { username, ...values } = queued.values
  const safeValues = username === undefined ? values : { ...values, username: withoutLinks(username) }
  return template(safeValues, contextIn(context, locale))
}

/**
 * Puts invisible word joiners wherever a top-level domain may begin in a name. Otherwise mail programs would
 * turn evil.com, or the start of evil.com-1, into a link. `compose` removes the joiners from the text part.
 */
const withoutLinks = (username: string) => username.replaceAll(/\.(?=[A-Za-z]{2})/g, `.${WORD_JOINER}`)

export async function renderForRecipient(
  db: Database,
  queued: QueuedMail,
  templates: Templates,
  context: MailContext,
): Promise<Mail> {
  return render(queued, templates, context, await localeOfRecipient(db, queued))
}

/** An email has a `locale` only if the recipient has no account. Uses the unique index of `email_key`. */
async function localeOfRecipient(db: Database, { to, locale }: QueuedMail): Promise<Locale> {
  if (locale !== undefined) return localeNamed(locale) ?? DEFAULT_LOCALE
  const user = await db
    .selectFrom('users')
    .select('locale')
    .where('email_key', '=', to.toLowerCase())
    .executeTakeFirst()
  return localeNamed(user?.locale) ?? DEFAULT_LOCALE
}

/** For emails to administrators, which are always in a language of the dashboard. */
export const forAdministrators = (templates: Templates): Templates =>
  Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [
      name,
      (values, context) => template(values, contextIn(context, dashboardLocale(context.locale))),
    ]),
  )

export function letter(
  context: LetterContext,
  username: string,
  subject: string,
  parts: readonly Part[],
): Mail {
  const { campaign, publicUrl, texts, locale } = context
  const greeting = texts.LETTER.greeting({ username })
  const signature = `${campaign.name} — ${publicUrl}`
  return withLook(compose(subject, [greeting, ...parts, signature], locale), context)
}

/** CSS pixels. */
const LOGO_HEIGHT = 48
const MAX_LOGO_WIDTH = 240

/**
 * Adds the campaign's colors and logo to the HTML part. The logo is a PNG, because some mail programs cannot
 * show WebP. Mail programs that load no pictures show the campaign's name.
 */
export function withLook(
  mail: Mail,
  { campaign: { name, look }, publicUrl }: Pick<MailContext, 'campaign' | 'publicUrl'>,
): Mail {
  if (!look) return mail
  const logo = parsePictureReference(look.logo)
  const { paper, ink } = paletteOf(look, 'light')
  const colored = mail.html.replace(colorStyleOf(DEFAULT_PALETTES.light), colorStyleOf({ paper, ink }))
  if (!logo) return { ...mail, html: colored }
  const width = Math.round(Math.min(MAX_LOGO_WIDTH, (LOGO_HEIGHT * logo.width) / logo.height))
  const image = `<p><img src="${publicUrl}${logo.png}" alt="${escapeHtml(name)}" width="${width}" style="max-height:${LOGO_HEIGHT}px;height:auto"></p>`
  return { ...mail, html: colored.replace(/(<body[^>]*><div[^>]*>)/, (start) => `${start}\n${image}`) }
}

/** Has to match the style that compose.ts gives every email. */
const colorStyleOf = ({ paper, ink }: { paper: string; ink: string }) => `background:${paper};color:${ink}`
