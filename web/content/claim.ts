import type { TimelineEntry } from '#contract/claim-history.ts'
import { SLOT_HOURS } from '#contract/slots.ts'
import { MAX_ATTEMPTS } from '#contract/claims.ts'

/** What a line of a timeline says. */
export const HAPPENED: Record<TimelineEntry['what'], string> = {
  received: 'Received',
  edited: 'Edited',
  corrected: 'Corrected and sent again',
  under_review: 'Looked at from outside; a person decides next',
  held: 'Held for a closer look',
  appealed: 'Appealed',
  approved: 'Approved, points credited',
  rejected: 'Rejected',
  reopened: 'Opened again',
  slot_freed: 'The slot was given up',
}

/** The participant's own claim on the profile. Task Status above it has the words of a status; here they differ. */
export const YOUR_CLAIM = {
  title: 'Your claim',
  timeline: 'What happened',
  queue: (place: number, wait: string | null) =>
    `Place ${place.toLocaleString('en')} in the queue.${wait ? ` Decisions take about ${wait} of late.` : ''}`,
  editHint: 'Until its review starts you can change what you sent.',
  edit: 'Edit',
  held: 'Held',
  heldLead: 'A person takes a closer look at it before it is decided, because:',
  heldHint: 'Nothing is decided against you, and you keep your slot.',
  rejected: 'Rejected',
  rejectedLead: 'A person looked at it and rejected it, because:',
  kept: 'Your slot is kept for you until',
  keptForAppeal: 'Your slot is kept for you until somebody has read your appeal.',
  freed: 'Its slot is given up. While slots are left you can still send a corrected claim.',
  attemptsOver: `You have sent a claim ${MAX_ATTEMPTS} times, which is as often as it can be sent. If this is wrong, you can appeal.`,
  correct: 'Correct and send again',
  reserved: 'Reserved',
  reservedLead: 'A slot came free and is reserved for you until',
  claim: 'Claim it now',
  waiting: (place: number) => `Place ${place.toLocaleString('en')} on the waiting list.`,
  waitingHint: 'A mail tells you when a slot is reserved for you.',
  approved: 'Your proof is verified and your points are credited.',
} as const

export const APPEAL = {
  title: 'Appeal',
  lead: 'Is this wrong? Say why in your own words; a person reads it. You can do this once.',
  text: 'Your appeal',
  left: (characters: number) =>
    `${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'} left`,
  button: 'Send appeal',
  done: 'Thank you. Somebody will read your appeal.',
  failed: 'The appeal was not sent. Please try again.',
  waits: 'Waiting for an answer',
  answered: 'Answered',
} as const

/** The account that shows membership of the group. */
export const TELEGRAM = {
  title: 'Telegram',
  lead: 'Optional: with your Telegram account connected, it can be shown that you joined the group. You confirm it on Telegram’s own site; this one keeps its number and its public name.',
  connect: 'Connect Telegram',
  connecting: 'Connecting…',
  connectedAs: (username: string | null) => (username === null ? 'Connected.' : `Connected as @${username}.`),
  disconnect: 'Disconnect',
  done: 'Done.',
  declined: 'You did not confirm it at Telegram. Nothing was connected.',
  failed: 'Telegram was not connected. Please try again.',
} as const

/** The waiting list on the airdrop page. */
export const WAITING_LIST = {
  lead: `When a slot comes free, it is reserved for ${SLOT_HOURS} hours for the first on the waiting list, who is told by mail.`,
  join: 'Join waiting list',
  joined: 'You are on the waiting list.',
  place: (place: number) => `Place ${place.toLocaleString('en')} on the waiting list`,
  leave: 'Leave the waiting list',
  left: 'You are not on the waiting list any more.',
  failed: 'The waiting list cannot be reached. Please try again.',
  kept: 'A slot is kept for you until',
  keptForAppeal: 'A slot is kept for you until somebody has read your appeal.',
  reserved: 'A slot is reserved for you until',
} as const
