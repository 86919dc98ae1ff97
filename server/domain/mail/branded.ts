import { DEFAULT_PALETTES, paletteOf } from '#contract/look.ts'
import { readPicture } from '#contract/dashboard/pictures.ts'
import { escapeHtml } from '#server/platform/html.ts'
import type { Mail } from './compose.ts'
import type { MailContext } from './templates.ts'

/** CSS pixels of a logo at the head of an email. */
const LOGO_HEIGHT = 48
const WIDEST = 240

/**
 * The email in the campaign's own colors, under its logo. PNG, because some mail programs show no WebP; with the
 * campaign's name for those that load no pictures. The text part stays as it is.
 */
export function branded(
  mail: Mail,
  { campaign: { name, look }, publicUrl }: Pick<MailContext, 'campaign' | 'publicUrl'>,
): Mail {
  if (!look) return mail
  const logo = readPicture(look.logo)
  const { paper, ink } = paletteOf(look, 'light')
  const colored = mail.html.replace(groundOf(DEFAULT_PALETTES.light), groundOf({ paper, ink }))
  if (!logo) return { ...mail, html: colored }
  const width = Math.round(Math.min(WIDEST, (LOGO_HEIGHT * logo.width) / logo.height))
  const image = `<p><img src="${publicUrl}${logo.png}" alt="${escapeHtml(name)}" width="${width}" style="max-height:${LOGO_HEIGHT}px;height:auto"></p>`
  return { ...mail, html: colored.replace(/(<body[^>]*><div[^>]*>)/, (start) => `${start}\n${image}`) }
}

/** The part with colors of the style that compose.ts gives every email. */
const groundOf = ({ paper, ink }: { paper: string; ink: string }) => `background:${paper};color:${ink}`
