import { compose, type Run } from '../mail/compose.ts'
import { type LetterContext, type Template, withLook } from '../mail/templates.ts'
import { unsubscribeUrl } from './consent.ts'

/** The headers allow unsubscribing with one click (RFC 8058). */
export const composeAnnouncement: Template = (values, context) => ({
  ...withLook(
    compose(
      values['subject'] ?? '',
      composeParagraphs(values, context).map((runs) => ({ runs })),
      context.locale,
    ),
    context,
  ),
  headers: {
    'List-Unsubscribe': `<${unsubscribeUrl(context, values['user'] ?? '')}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
})

export const announcementMails: Record<string, Template> = { announcement: composeAnnouncement }

/** @param values `user` is the recipient's id. */
export function composeParagraphs(values: Record<string, string>, context: LetterContext): Run[][] {
  const { username = '', user = '', text = '' } = values
  const { campaign, publicUrl, keys, texts } = context
  const words = texts.ANNOUNCEMENT_WORDS
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => runsOf(paragraph.trim()))
  const plain = (line: string): Run[] => [{ text: line, link: null }]
  return [
    plain(words.greeting({ username })),
    ...paragraphs,
    plain(`${campaign.name} — ${publicUrl}`),
    plain(words.why({ campaign: campaign.name, operator: campaign.smallPrint.operator })),
    [{ text: words.unsubscribe, link: unsubscribeUrl({ keys, publicUrl }, user) }],
  ]
}

/** An https address without trailing punctuation. `split` keeps the group at odd indexes. */
const ADDRESS = /(https:\/\/[^\s<>"'“”]*[^\s<>"'“”.,;:!?)\]])/

/** Splits a paragraph into text and links. A link's text is its address. */
function runsOf(paragraph: string): Run[] {
  return paragraph
    .split(ADDRESS)
    .map((text, index) => ({ text, link: index % 2 === 1 ? text : null }))
    .filter(({ text }) => text !== '')
}
