import { forAdministrators, letter } from '../domain/mail/templates.ts'

/** The template of the test email. */
export const TEST_MAIL = 'test'

export const doctorMails = forAdministrators({
  [TEST_MAIL]: ({ username = '' }, context) => {
    const words = context.texts.DOCTOR_MAILS.test
    return letter(context, username, words.subject({ campaign: context.campaign.name }), [
      words.text,
      words.spam,
    ])
  },
})
