import type { Stage } from '#contract/phase.ts'

const grouped = (figure: number) => figure.toLocaleString('en')

/** Texts of the dashboard’s campaign section. */
export const CAMPAIGN_LIFE = {
  title: 'Campaign',
  loading: 'Loading the campaign',
  failed: 'We couldn’t load the campaign.',
  again: 'Try again',
  notDone: 'That didn’t work. Please try again.',
  stages: {
    before: 'Not open yet',
    open: 'Open',
    full: 'All slots taken',
    paused: 'Paused',
    reviewing: 'Closed, in review',
    paying: 'Closed, payout due',
    paid: 'Paid',
  } satisfies Record<Stage, string>,
  archived: 'Archived',
  leads: {
    before: 'Everyone sees a countdown. People can register, but no one can claim yet.',
    open: 'People can claim a slot.',
    full: 'People can join the waiting list. Add slots, or wait until some open up.',
    paused: 'No one can claim, and no slots expire. You can still review claims.',
    reviewing: 'No one can claim anymore. Decide the remaining claims and appeals, then freeze the payout.',
    paying: 'Everything is decided. Freeze the payout, pay it, and archive the campaign.',
    frozen:
      'The payout is frozen. Pay it, then read the payments to see what has arrived. You can archive the campaign before or after.',
    paid: 'Every wallet has been paid. Archive the campaign once all questions are settled.',
  } satisfies Record<Stage | 'frozen', string>,
  opens: 'Opens',
  closes: 'Closes',
  noEnd: 'No end',
  slots: 'Slots left',
  slotsOf: (left: number, total: number) => `${grouped(left)} of ${grouped(total)}`,
  undecided: 'Waiting for a reviewer',
  undecidedOf: (claims: number, appeals: number) =>
    appeals === 0
      ? grouped(claims)
      : `${grouped(claims)} + ${appeals === 1 ? '1 appeal' : `${grouped(appeals)} appeals`}`,
  cancel: 'Cancel',

  pause: 'Pause',
  pauseLead:
    'This stops claims and the waiting list on all nodes right away. Slots that are kept or reserved are extended by the length of the pause. You can still review claims.',
  notice: 'Notice',
  noticeHint: 'Everyone sees it on Home, on the airdrop page and in the rules.',
  until: 'Expected to resume at',
  untilHint:
    'Optional, in your time zone. This only informs visitors: the campaign stays paused until you resume it.',
  pauseNow: 'Pause the campaign',
  changeNotice: 'Change the notice',
  resume: 'Resume the campaign',
  pausedSince: 'Paused',

  dates: 'Dates and slots',
  datesLead:
    'You can move the end to a later date and add slots. You can’t take either back, because participants rely on them.',
  closesAt: 'Closes at',
  closesAtHint: 'In your time zone.',
  extend: 'Move the end',
  total: 'Slots',
  totalHint: (total: number) =>
    `At least ${grouped(total + 1)}. People on the waiting list get the new slots first.`,
  addSlots: 'Add slots',
  close: 'Close now',
  closeTitle: 'Close the campaign now?',
  closeLead:
    'No one can claim after this. Anyone with a kept or reserved slot can still use it until it expires. The waiting list ends, and everyone on it gets an email.',
  confirm: (id: string) => `Type ${id} to confirm`,

  archive: 'Archive',
  archiveLead:
    'This makes the campaign final: decisions can no longer be made or undone. It gets its own page with results and leaderboard, and you can still pay it out. You can then start the next campaign with a new id in the campaign file.',
  archiveNeeds: 'Before you can archive it:',
  openClaims: (count: number) =>
    count === 1
      ? '1 claim is waiting for a decision.'
      : `${grouped(count)} claims are waiting for a decision.`,
  openAppeals: (count: number) =>
    count === 1
      ? '1 appeal is waiting for an answer.'
      : `${grouped(count)} appeals are waiting for an answer.`,
  openSlots: (count: number) =>
    count === 1
      ? '1 person can still claim with a slot that is kept for them.'
      : `${grouped(count)} people can still claim with slots that are kept for them.`,
  openSlotsUntil: (when: string) => `The last of these slots expires on ${when}.`,
  decideThem: 'Decide',
  answerThem: 'Answer',
  seePayout: 'Go to the payout',
  archiveNow: 'Archive the campaign',
  archiveTitle: 'Archive the campaign?',
  archivedAt: 'Archived on',
  archivePage: 'See its page',
} as const
