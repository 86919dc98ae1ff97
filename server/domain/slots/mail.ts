import { campaignNameIn, letter, type Template, urlOf } from '../mail/templates.ts'

export const slotMails: Record<string, Template> = {
  // Emails queued by an earlier version have no `attempts`.
  'slot-freed': ({ username = '', state, attempts = 'left' }, context) => {
    const { SLOT_MAILS, MAIL_LINKS } = context.texts
    const words = SLOT_MAILS.freed
    return letter(context, username, words.subject({ campaign: context.campaign.name }), [
      state === 'kept' ? words.kept : words.reserved,
      ...(attempts === 'left'
        ? [words.next, { link: urlOf(context, '/airdrop'), label: MAIL_LINKS.airdrop }]
        : [{ link: urlOf(context, '/profile'), label: MAIL_LINKS.status }]),
    ])
  },

  // Emails about the end of a campaign may be delivered when another campaign is current.
  'slot-ended': ({ username = '', state, ...campaignValues }, context) => {
    const { SLOT_MAILS, MAIL_LINKS } = context.texts
    const words = SLOT_MAILS.ended
    return letter(context, username, words.subject({ campaign: campaignNameIn(context, campaignValues) }), [
      state === 'kept' ? words.kept : words.reserved,
      { link: urlOf(context, '/profile'), label: MAIL_LINKS.status },
    ])
  },

  'waiting-list-ended': ({ username = '', ...campaignValues }, context) => {
    const { SLOT_MAILS, MAIL_LINKS } = context.texts
    const words = SLOT_MAILS.waitingListEnded
    return letter(context, username, words.subject({ campaign: campaignNameIn(context, campaignValues) }), [
      words.text,
      words.thanks,
      { link: urlOf(context, '/leaderboard'), label: MAIL_LINKS.leaderboard },
    ])
  },

  'slot-reserved': ({ username = '' }, context) => {
    const { SLOT_MAILS, MAIL_LINKS } = context.texts
    const words = SLOT_MAILS.reserved
    return letter(context, username, words.subject({ campaign: context.campaign.name }), [
      words.text,
      { link: urlOf(context, '/airdrop'), label: MAIL_LINKS.claimNow },
    ])
  },
}
