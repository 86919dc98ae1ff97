import { codeOf } from './codes/one-time-codes.ts'
import { letter, type LetterContext, type Template, urlOf } from '../mail/templates.ts'

/** The emails about accounts. Links are built from `PUBLIC_URL`, never from a request's host. */
export const accountMails: Record<string, Template> = {
  'verify-email': ({ username = '', nonce = '' }, context) => {
    const { verifyEmail: words, codeLifetime } = context.texts.ACCOUNT_MAILS
    return letter(context, username, words.subject(named(context)), [
      words.enter({ username }),
      { code: codeOf(context.keys, nonce) },
      codeLifetime,
      words.notYou({ username }),
    ])
  },

  'account-exists': ({ username = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.accountExists
    return letter(context, username, words.subject(named(context)), [
      words.text({ username }),
      words.you,
      logIn(context),
      newPassword(context),
      words.notYou,
    ])
  },

  'reset-password': ({ username = '', nonce = '' }, context) => {
    const { resetPassword: words, codeLifetime } = context.texts.ACCOUNT_MAILS
    return letter(context, username, words.subject(named(context)), [
      words.enter({ username }),
      { code: codeOf(context.keys, nonce) },
      codeLifetime,
      words.notYou,
    ])
  },

  'wrong-codes': ({ username = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.wrongCodes
    return letter(context, username, words.subject(named(context)), [
      words.text({ username }),
      words.blocked,
      words.notYou,
    ])
  },

  'password-changed': ({ username = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.passwordChanged
    return letter(context, username, words.subject(named(context)), [
      words.text({ username }),
      words.notYou,
      newPassword(context),
    ])
  },

  'account-banned': ({ username = '', reason = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.accountBanned
    return letter(context, username, words.subject(named(context)), [
      words.intro,
      reason,
      words.effect,
      words.appeal(contact(context)),
    ])
  },

  'account-unbanned': ({ username = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.accountUnbanned
    return letter(context, username, words.subject(named(context)), [words.text, words.claim, logIn(context)])
  },

  'account-deleted': ({ username = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.accountDeleted
    return letter(context, username, words.subject(named(context)), [
      words.text,
      { link: urlOf(context, '/privacy'), label: context.texts.MAIL_LINKS.whatWeKeep },
      words.notYou(contact(context)),
    ])
  },

  'email-held': (_values, context) => {
    const words = context.texts.ACCOUNT_MAILS.emailHeld
    const { there } = context.texts.LETTER
    return letter(context, there, words.subject(named(context)), [words.text, words.notYou])
  },

  'role-offered': ({ username = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.roleOffered
    return letter(context, username, words.subject(named(context)), [
      words.text,
      words.effect,
      { link: urlOf(context, '/profile'), label: context.texts.MAIL_LINKS.answerOnProfile },
      words.unexpected,
    ])
  },

  'role-withdrawn': ({ username = '' }, context) => {
    const words = context.texts.ACCOUNT_MAILS.roleWithdrawn
    return letter(context, username, words.subject(named(context)), [words.text])
  },
}

const named = ({ campaign }: LetterContext) => ({ campaign: campaign.name })
const contact = ({ campaign }: LetterContext) => ({ contact: campaign.smallPrint.contact })
const logIn = (context: LetterContext) => ({
  link: urlOf(context, '/login'),
  label: context.texts.MAIL_LINKS.login,
})
const newPassword = (context: LetterContext) => ({
  link: urlOf(context, '/forgot-password'),
  label: context.texts.MAIL_LINKS.newPassword,
})
