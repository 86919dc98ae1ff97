import { WIDGETS as WIDGETS_MESSAGES } from '#messages/widgets.js'
import { inUtc } from '../phase.ts'

/** Texts of the widgets that other sites embed. */
export const WIDGETS = {
  ...WIDGETS_MESSAGES,
  slots: {
    title: (name: string) => `Slots left: ${name}`,
    open: (total: string) => `of ${total} slots left`,
    gone: (total: string) => `All ${total} slots are taken`,
    before: (opensAt: string) => `slots, open from ${inUtc(opensAt)}`,
    after: 'The airdrop has closed',
    closed: 'slots left, not open right now',
    link: 'See the airdrop',
  },
}
