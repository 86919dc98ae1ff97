import type { Stage } from '#contract/phase.ts'

const grouped = (figure: number) => figure.toLocaleString('en')

/** Texts of the dashboard’s campaign section. */
export const CAMPAIGN_LIFE = {
  title: 'Campaign',
  loading: 'Loading the campaign',
  failed: 'We couldn’t load the campaign.',
  again: 'Try again',
  notDone: 'That was not done. Please try again.',
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
    before: 'Everyone sees a countdown. People can register, but nobody can claim yet.',
    open: 'People can claim a slot.',
    full: 'People can join the waiting list. Add slots, or wait until some become free.',
    paused: 'Nobody can claim, and no slot expires. You can go on reviewing.',
    reviewing: 'Nobody can claim anymore. Decide the claims and appeals that wait, then freeze the payout.',
    paying: 'Everything is decided. Freeze the payout, pay it, and archive the campaign.',
    paid: 'Every wallet has been paid. Archive the campaign when nobody has a question anymore.',
  } satisfies Record<Stage, string>,
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
    'Claims and the waiting list are refused on all nodes at once. Slots that are kept or reserved last longer by the time of the pause. Reviewing goes on.',
  notice: 'Notice',
  noticeHint: 'Everyone sees it on Home, on the airdrop page and in the rules.',
  until: 'Expected to resume at',
  untilHint: 'Optional. An announcement in your time zone: the campaign resumes only when you say so.',
  pauseNow: 'Pause the campaign',
  changeNotice: 'Change the notice',
  resume: 'Resume the campaign',
  pausedSince: 'Paused since',

  dates: 'Dates and slots',
  datesLead: 'The end can be moved later and slots can be added. Taking either back would break a promise.',
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
    'Nobody can claim from now on. Anyone whose slot is kept or reserved can still use it until that time is up. The waiting list ends with an email to each person.',
  confirm: (id: string) => `Type ${id} to confirm`,

  archive: 'Archive',
  archiveLead:
    'Makes the campaign final: no decision can be made or undone anymore. It gets a page of its own with its results and leaderboard, and can still be paid. Then the campaign file may start the next one with a new id.',
  archiveNeeds: 'Before that:',
  needsDecisions: 'every claim and appeal has to be decided',
  archiveNow: 'Archive the campaign',
  archiveTitle: 'Archive the campaign?',
  archivedAt: 'Archived on',
  archivePage: 'See its page',
} as const
