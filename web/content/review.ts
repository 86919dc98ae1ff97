import type { RejectionReason } from '#contract/claim-history.ts'
import type { ClaimStatus } from '#contract/entities.ts'
import type { ReviewFilter, Risk } from '#contract/review.ts'

/** The words of the review desk beside the table of the dashboard. */
export const REVIEW_WORDS = {
  views: 'Which claims',
  view: {
    all: 'All',
    waiting: 'Waiting',
    flagged: 'Flagged',
    appealed: 'Appealed',
    decided: 'Decided',
  } satisfies Record<ReviewFilter | 'all', string>,
  oldest: 'Oldest waits',
  nobodyWaits: 'Nobody waits',
  search: 'Search',
  searchHint: 'Name, e-mail, handle or wallet',
  searchCut: 'Too many fit this search to look at all of them. Type more of it.',
  sort: 'Order',
  sorts: { age: 'Oldest first', risk: 'Riskiest first' },
  risk: 'Risk',
  anyRisk: 'Any risk',
  risks: { low: 'Low', medium: 'Medium', high: 'High' } satisfies Record<Risk, string>,
  more: 'Show more',
  nothing: 'No claim is here.',
  nothingWayOn: 'See all claims',
  select: (username: string) => `Select ${username}`,
  selectAll: 'Select all that are shown',
  open: (username: string) => `Open the card of ${username}`,
  reviewing: (name: string) => `${name} is at it`,
  held: 'Held',
  own: 'Your own claim: somebody else decides it.',
  superseded: 'The participant has sent a newer claim.',
} as const

export const CARD = {
  close: 'Close card',
  loading: 'Loading the card',
  failed: 'The card could not be loaded.',
  risk: (weight: number) => `Risk ${weight}`,
  held: 'Held, because',
  signals: 'Signals',
  weight: (weight: number) => `+${weight}`,
  cluster: (size: number) => `Cluster of ${size}`,
  clusterSelect: 'Select its waiting claims',
  clusterReject: 'Reject all, free the slots',
  accounts: (count: number) => `(${count} accounts)`,
  evidence: 'Evidence',
  noEvidence: 'Nothing was looked at yet.',
  seen: 'What was seen',
  appeal: 'Appeal',
  answered: 'answered',
  rejection: 'Rejected',
  timeline: 'What happened',
  attempt: (attempt: number) => `Attempt ${attempt}`,
  outcome: { confirmed: 'Confirmed', contradicted: 'Contradicted', could_not_tell: 'Could not tell' },
  status: {
    submitted: 'Submitted',
    under_review: 'Under Review',
    held: 'Held',
    approved: 'Verified',
    rejected: 'Rejected',
  } satisfies Record<ClaimStatus, string>,
} as const

export const DECIDE = {
  reject: 'Reject',
  rejectTitle: (who: string) => `Reject ${who}`,
  cluster: (size: number) => `a cluster of ${size}`,
  clusterHint:
    'Every claim of it that waits is rejected, and the slots that its rejected claims keep are free at once. Verified claims and open appeals stay.',
  clusterOutcome: (freed: number) =>
    freed === 1 ? '1 slot is free again.' : `${freed} slots are free again.`,
  claims: (count: number) => (count === 1 ? '1 claim' : `${count} claims`),
  undo: 'Undo',
  undone: 'The decision was taken back.',
  rejected: 'Rejected.',
  failed: 'The decision was not recorded.',
  reason: 'Reason',
  reasons: {
    post_missing: 'The post cannot be found',
    post_of_other: 'The post is somebody else’s',
    post_incomplete: 'The post lacks what was asked for',
    task_not_done: 'A task was not done',
    not_in_group: 'Not in the group',
    wallet_unusable: 'The wallet cannot be paid',
    same_person: 'One person, several accounts',
    automated: 'Done by a program',
    other: 'Another reason',
  } satisfies Record<RejectionReason, string>,
  text: 'What the participant reads',
  textHint: 'Plain text. Say what would make it right.',
  textHintFinal: 'Plain text. Nobody else’s name.',
  cancel: 'Cancel',
  selected: (count: number) => `${count} selected`,
  verifySelected: 'Verify selected',
  rejectSelected: 'Reject selected',
  clear: 'Clear selection',
  outcome: (done: number, all: number) => `${done} of ${all} decided.`,
} as const

/** What a participant changed between looking and deciding. */
export const CHANGED = {
  note: 'Changed since you looked',
  see: 'See changes',
  title: 'The claim has changed',
  lead: (username: string) =>
    `${username} edited the proof after you looked at it, and its evidence is gathered anew. Nothing was decided.`,
  wallet: 'Wallet',
  same: '(the same)',
  before: 'You saw',
  now: 'Now',
  look: 'Look again',
  later: 'Later',
} as const

export const KEYS = {
  toggle: 'Keyboard shortcuts',
  help: 'Shortcuts',
  lead: 'They work while a row of the list has the focus.',
  close: 'Close',
  list: [
    ['j', 'Next row'],
    ['k', 'Row before'],
    ['o', 'Open or close the card'],
    ['v', 'Verify'],
    ['r', 'Reject'],
    ['u', 'Undo the decision'],
    ['x', 'Select'],
    ['?', 'This help'],
  ],
} as const
