import type { TimelineEntry } from '#contract/claims/claim-history.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'

/** The text of each timeline entry. */
export const TIMELINE_WORDS: Record<TimelineEntry['what'], string> = {
  received: 'Received',
  edited: 'Edited',
  corrected: 'Corrected and resubmitted',
  under_review: 'Automatic checks done. A reviewer decides next.',
  held: 'Held for a closer look',
  appealed: 'Appealed',
  approved: 'Approved, points credited',
  rejected: 'Rejected',
  reopened: 'Reopened',
  slot_freed: 'Slot released',
}

/** The participant's own claim on the profile. Some statuses are worded differently from Task Status. */
export const YOUR_CLAIM = {
  title: 'Your claim',
  timeline: 'What happened',
  queue: (place: number, wait: string | null) =>
    `Number ${place.toLocaleString('en')} in the review queue.${wait ? ` Most decisions currently take about ${wait}.` : ''}`,
  editHint: 'You can edit your claim until its review starts.',
  edit: 'Edit',
  held: 'Held',
  heldLead: 'A reviewer is taking a closer look because:',
  heldHint: 'Nothing has been decided yet, and you keep your slot.',
  rejected: 'Rejected',
  rejectedLead: 'A reviewer rejected your claim because:',
  kept: 'We’re keeping your slot for you until',
  keptForAppeal: 'We’re keeping your slot for you until a reviewer answers your appeal.',
  freed: 'This claim no longer has a slot. You can still send a corrected claim while slots are left.',
  attemptsOver: `You have used all ${MAX_ATTEMPTS} attempts. If you think we made a mistake, you can appeal.`,
  correct: 'Correct and resubmit',
  reserved: 'Reserved',
  reservedLead: 'A slot has opened up. It’s reserved for you until',
  claim: 'Claim it now',
  waiting: (place: number) => `Number ${place.toLocaleString('en')} on the waiting list.`,
  waitingHint: 'We’ll email you when a slot is reserved for you.',
  approved: 'Your proof has been verified and your points have been credited.',
} as const

export const APPEAL = {
  title: 'Appeal',
  lead: 'Think we made a mistake? Tell us why in your own words. A reviewer will read it. You can appeal once.',
  text: 'Your appeal',
  left: (characters: number) =>
    `${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'} left`,
  button: 'Send appeal',
  done: 'Thank you. A reviewer will read your appeal.',
  failed: 'We couldn’t send your appeal. Please try again.',
  waits: 'Waiting for a reply',
  answered: 'Answered',
} as const

/** Connecting Telegram, for the check of group membership. */
export const TELEGRAM = {
  title: 'Telegram',
  /** @param hasGroup Whether a task asks to join a group. */
  lead: (hasGroup: boolean) =>
    `Optional: connect your Telegram account so we can check that ${hasGroup ? 'you joined the group' : 'your handle is yours'}. You confirm on Telegram’s own site. We store only your Telegram ID and public name.`,
  connect: 'Connect Telegram',
  connecting: 'Connecting…',
  connectedAs: (username: string | null) => (username === null ? 'Connected.' : `Connected as @${username}.`),
  disconnect: 'Disconnect',
  done: 'Done.',
  declined: 'You didn’t confirm on Telegram, so nothing was connected.',
  failed: 'We couldn’t connect Telegram. Please try again.',
} as const

/** The waiting list on the airdrop page. */
export const WAITING_LIST = {
  lead: `When a slot opens up, we hold it for ${SLOT_HOURS} hours for the next person on the list and email them.`,
  join: 'Join waiting list',
  joined: 'You’re on the waiting list.',
  place: (place: number) => `Number ${place.toLocaleString('en')} on the waiting list`,
  leave: 'Leave the waiting list',
  left: 'You’re no longer on the waiting list.',
  failed: 'We couldn’t reach the waiting list. Please try again.',
  kept: 'We’re keeping a slot for you until',
  keptForAppeal: 'We’re keeping a slot for you until a reviewer answers your appeal.',
  reserved: 'A slot is reserved for you until',
  stands: 'You’ll get extra time to make up for the pause.',
} as const
