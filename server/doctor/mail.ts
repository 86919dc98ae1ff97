import { letter, type Templates } from '../domain/mail/templates.ts'

/** The name of the template of a test. */
export const TEST_MAIL = 'test'

export const doctorMails: Templates = {
  [TEST_MAIL]: ({ username = '' }, context) =>
    letter(context, username, `Test email of ${context.campaign.name}`, [
      'This is the test email that you asked for. If it is in your inbox, participants get theirs too.',
      'If it was in the spam folder, let the checks of this site look at the records of your domain (SPF and DMARC).',
    ]),
}
