import { forAdministrators, letter } from '../domain/mail/templates.ts'

export const TEST_MAIL = 'test'

export const doctorMails = forAdministrators({
  [TEST_MAIL]: ({ username = '' }, context) => {
    const { subject, text, spam } = context.texts.DOCTOR_MAILS.test
    return letter(context, username, subject({ campaign: context.campaign.name }), [text, spam])
  },
})
