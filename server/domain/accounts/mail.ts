import type { Texts } from '#server/messages/catalogue.ts'
import type { Part } from '../mail/compose.ts'
import { letter, type LetterContext, type Template, urlOf } from '../mail/templates.ts'
import { codeOf } from './codes/one-time-codes.ts'

type Words = Omit<Texts['ACCOUNT_MAILS'], 'codeLifetime'>

function accountMail<Key extends keyof Words>(
  key: Key,
  parts: (words: Words[Key], context: LetterContext, values: Record<string, string>) => readonly Part[],
): Template {
  return (values, context) => {
    const words: Words[Key] = context.texts.ACCOUNT_MAILS[key]
    const subject = words.subject({ campaign: context.campaign.name })
    // Without a username: “Hello there,”.
    const addressee = values['username'] ?? context.texts.LETTER.there
    return letter(context, addressee, subject, parts(words, context, values))
  }
}

/** Links are built from `PUBLIC_URL`, never from a request's host. */
export const accountMails: Record<string, Template> = {
  'verify-email': accountMail('verifyEmail', (words, context, { username = '', nonce = '' }) => [
    words.enter({ username }),
    { code: codeOf(context.keys, nonce) },
    context.texts.ACCOUNT_MAILS.codeLifetime,
    words.notYou({ username }),
  ]),

  'account-exists': accountMail('accountExists', (words, context, { username = '' }) => [
    words.text({ username }),
    words.you,
    linkTo(context, '/login', 'login'),
    linkTo(context, '/forgot-password', 'newPassword'),
    words.notYou,
  ]),

  'reset-password': accountMail('resetPassword', (words, context, { username = '', nonce = '' }) => [
    words.enter({ username }),
    { code: codeOf(context.keys, nonce) },
    context.texts.ACCOUNT_MAILS.codeLifetime,
    words.notYou,
  ]),

  'wrong-codes': accountMail('wrongCodes', (words, _context, { username = '' }) => [
    words.text({ username }),
    words.blocked,
    words.notYou,
  ]),

  'password-changed': accountMail('passwordChanged', (words, context, { username = '' }) => [
    words.text({ username }),
    words.notYou,
    linkTo(context, '/forgot-password', 'newPassword'),
  ]),

  'account-banned': accountMail('accountBanned', (words, context, { reason = '' }) => [
    words.intro,
    // As runs of text, the administrator's reason keeps its line breaks and direction.
    { runs: [{ text: reason, link: null }] },
    words.effect,
    words.appeal(contactOf(context)),
  ]),

  'account-unbanned': accountMail('accountUnbanned', (words, context) => [
    words.text,
    words.claim,
    linkTo(context, '/login', 'login'),
  ]),

  'account-deleted': accountMail('accountDeleted', (words, context) => [
    words.text,
    linkTo(context, '/privacy', 'whatWeKeep'),
    words.notYou(contactOf(context)),
  ]),

  /** When someone tries to register with the email of a recently deleted account. */
  'email-held': accountMail('emailHeld', (words) => [words.text, words.notYou]),

  'role-offered': accountMail('roleOffered', (words, context) => [
    words.text,
    words.effect,
    linkTo(context, '/profile', 'answerOnProfile'),
    words.unexpected,
  ]),

  'role-withdrawn': accountMail('roleWithdrawn', (words) => [words.text]),
}

const contactOf = ({ campaign }: LetterContext) => ({ contact: campaign.smallPrint.contact })

const linkTo = (context: LetterContext, path: `/${string}`, label: keyof Texts['MAIL_LINKS']) => ({
  link: urlOf(context, path),
  label: context.texts.MAIL_LINKS[label],
})
