import type { RejectionReason } from '#contract/claims/claim-history.ts'
import type { ClaimStatus } from '#contract/entities.ts'
import type { ReviewFilter, Risk } from '#contract/dashboard/review.ts'

/** Texts of the review screen, except for the table of the dashboard. */
export const REVIEW_WORDS = {
  views: 'Which claims',
  view: {
    all: 'All',
    waiting: 'Waiting',
    flagged: 'Flagged',
    appealed: 'Appealed',
    decided: 'Decided',
  } satisfies Record<ReviewFilter | 'all', string>,
  oldest: 'Oldest submitted',
  nobodyWaits: 'Nothing waiting',
  search: 'Search',
  searchHint: 'Name, email, handle or wallet',
  searchCut: 'Too many matches to search them all. Type more to narrow it down.',
  sort: 'Order',
  sorts: { age: 'Oldest first', risk: 'Riskiest first' },
  risk: 'Risk',
  anyRisk: 'Any risk',
  risks: { low: 'Low', medium: 'Medium', high: 'High' } satisfies Record<Risk, string>,
  more: 'Show more',
  nothing: 'No claims here.',
  showAll: 'See all claims',
  select: (username: string) => `Select ${username}`,
  selectAll: 'Select all shown',
  open: (username: string) => `Open the card of ${username}`,
  reviewing: (name: string) => `${name} is reviewing this`,
  held: 'Held',
  own: 'This is your own claim. Only another reviewer can decide it.',
  superseded: 'The participant has sent a newer claim.',
} as const

export const CARD = {
  close: 'Close card',
  person: 'See this person’s page',
  loading: 'Loading the card',
  failed: 'We couldn’t load the card.',
  risk: (weight: number) => `Risk ${weight}`,
  held: 'Held because',
  signals: 'Signals',
  weight: (weight: number) => `+${weight}`,
  cluster: (size: number) => `Cluster of ${size}`,
  clusterSelect: 'Select its waiting claims',
  clusterReject: 'Reject all and free the slots',
  accounts: (count: number) => `(${count} accounts)`,
  evidence: 'Evidence',
  noEvidence: 'No checks have run yet.',
  seen: 'What we found',
  appeal: 'Appeal',
  appealAnswered: 'Appeal (answered)',
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
    'This rejects all its waiting claims and frees the slots kept for its rejected claims right away. Verified claims and open appeals stay as they are.',
  clusterOutcome: (freed: number) =>
    freed === 1 ? '1 slot is free again.' : `${freed} slots are free again.`,
  claims: (count: number) => (count === 1 ? '1 claim' : `${count} claims`),
  undo: 'Undo',
  undone: 'The decision was undone.',
  rejected: 'Rejected.',
  failed: 'We couldn’t save the decision.',
  reason: 'Reason',
  reasons: {
    post_missing: 'The post can’t be found',
    post_of_other: 'The post is someone else’s',
    post_incomplete: 'The post is missing something',
    task_not_done: 'A task was not completed',
    not_in_group: 'Not in the group',
    wallet_unusable: 'The wallet can’t receive the airdrop',
    same_person: 'One person, several accounts',
    automated: 'Done by a program',
    other: 'Another reason',
  } satisfies Record<RejectionReason, string>,
  text: 'What the participant reads',
  textHint: 'Plain text. Say how to fix it.',
  textHintFinal: 'Plain text. Don’t name anyone else.',
  cancel: 'Cancel',
  selected: (count: number) => `${count} selected`,
  verifySelected: 'Verify selected',
  rejectSelected: 'Reject selected',
  clear: 'Clear selection',
  outcome: (done: number, all: number) => `${done} of ${all} decided.`,
} as const

/** A conflict: the participant edited the proof after the reviewer read it. */
export const CHANGED = {
  note: 'Changed since you last looked',
  see: 'See changes',
  title: 'The claim has changed',
  lead: (username: string) =>
    `${username} edited the proof after you looked at it, and the checks are running again. Your decision was not saved.`,
  same: '(unchanged)',
  before: 'You saw',
  now: 'Now',
  look: 'Review again',
  later: 'Later',
} as const

export const KEYS = {
  toggle: 'Keyboard shortcuts',
  help: 'Shortcuts',
  lead: 'These work while a row in the list has focus.',
  close: 'Close',
  list: [
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['o', 'Open or close the card'],
    ['v', 'Verify'],
    ['r', 'Reject'],
    ['u', 'Undo the decision'],
    ['x', 'Select'],
    ['?', 'Show this help'],
  ],
} as const
