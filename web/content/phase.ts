import type { Results } from '#contract/campaigns.ts'
import type { ClaimStatus } from '#contract/entities.ts'
import type { Stage } from '#contract/phase.ts'

/** Formats an ISO time in UTC, for pages rendered without knowing the reader's time zone. */
export function inUtc(iso: string): string {
  const words = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(new Date(iso))
  return `${words.replace(' at ', ', ')} UTC`
}

/** What each stage of the campaign is called and means for a visitor; a date follows `when`. */
export const STAGE_WORDS: Record<Stage, { stamp: string; when: string | null; note: string }> = {
  before: {
    stamp: 'Not open yet',
    when: 'Opens on',
    note: 'You can register now, so you’re ready when it opens.',
  },
  open: {
    stamp: 'Open',
    when: 'Open until',
    note: 'First come, first served. Every proof is verified by hand.',
  },
  full: {
    stamp: 'All slots taken',
    when: 'Open until',
    note: 'If a slot opens up, it goes to the next person on the waiting list.',
  },
  paused: {
    stamp: 'Paused',
    when: null,
    note: 'We’re not accepting claims right now. Claims already sent are still being reviewed, and no slots expire.',
  },
  reviewing: {
    stamp: 'Closed',
    when: 'Closed on',
    note: 'We no longer accept claims. Claims sent in time are still being reviewed.',
  },
  paying: {
    stamp: 'Closed',
    when: 'Closed on',
    note: 'We no longer accept claims, and every claim has been decided.',
  },
  paid: { stamp: 'Paid', when: 'Closed on', note: 'The airdrop is over, and everything has been paid.' },
}

/** The notice of a pause. */
export const PAUSE_WORDS = {
  until: 'Expected to resume on',
}

/** The time until the opening. */
export const COUNTDOWN = {
  label: 'Time until the airdrop opens',
  days: (days: number) => (days === 1 ? 'day' : 'days'),
  hours: (hours: number) => (hours === 1 ? 'hour' : 'hours'),
  minutes: (minutes: number) => (minutes === 1 ? 'minute' : 'minutes'),
  where: 'Your local time:',
  opening: 'Opening now…',
}

/** The page after the close: what the campaign came to, and what comes next. */
export const CLOSING = {
  title: 'The airdrop is closed',
  paidTitle: 'The airdrop has been paid',
  claimed: 'People who claimed',
  approved: 'Approved',
  slots: 'Slots',
  granted: (symbol: string) => `${symbol} points granted`,
  referral: 'Referral points',
  next: 'What comes next',
  leaderboard: 'See the leaderboard',
  allocation: 'Look up a wallet',
  journal: 'The journal',
  archive: 'Earlier airdrops',
  profile: 'See your claim',
  root: 'Allocation root',
  yours: 'You',
} as const

/** What became of a participant's claim, after the close. */
export function ownResult(status: ClaimStatus | null, totalPoints: number): string {
  if (status === null)
    return totalPoints > 0 ? points(totalPoints) : 'You didn’t submit a claim in this airdrop.'
  if (status === 'approved') return `Your claim was approved. ${points(totalPoints)}`
  if (status === 'rejected') return 'Your claim was rejected. See the reason on your profile.'
  return 'Your claim arrived in time and is waiting for a reviewer.'
}

const points = (total: number) => `You have ${grouped(total)} points.`

/** What comes next after the close, one sentence for each thing that is still to come. */
export function nextSteps(results: Results, symbol: string, coin: string): string[] {
  const { undecided, appeals, isFinal, payout } = results
  const waiting =
    undecided > 0
      ? [`${many(undecided, 'claim is', 'claims are')} still waiting for a reviewer.`]
      : ['Every claim has been decided.']
  const appealed = appeals > 0 ? [`${many(appeals, 'appeal is', 'appeals are')} waiting for an answer.`] : []
  const appealable =
    payout || isFinal ? [] : ['If your claim was rejected, you can still appeal once on your profile.']
  const paying = payout
    ? paymentSteps(payout, symbol, coin)
    : ['Next, we’ll freeze the list of what each wallet gets and publish it on this site.']
  return [...waiting, ...appealed, ...appealable, ...paying]
}

function paymentSteps(
  { recipients, frozenAt, paid }: NonNullable<Results['payout']>,
  symbol: string,
  coin: string,
): string[] {
  const of = (asset: (typeof paid)['pf'], unit: string) =>
    asset && asset.of > 0
      ? [`${unit}: ${grouped(asset.wallets)} of ${many(asset.of, 'wallet', 'wallets')} paid.`]
      : []
  return [
    `The list of what ${many(recipients, 'wallet gets', 'wallets get')} was frozen on ${inUtc(frozenAt)}. Any later change to it would show.`,
    ...of(paid.pf, symbol),
    ...of(paid.pls, coin),
  ]
}

const grouped = (figure: number) => figure.toLocaleString('en')
const many = (count: number, one: string, several: string) =>
  `${grouped(count)} ${count === 1 ? one : several}`

/** The pages of earlier airdrops. */
export const ARCHIVE = {
  title: 'Earlier airdrops',
  lead: 'The results of each airdrop on this site: who took part, what was paid, and the fingerprints to check it with.',
  empty: 'No airdrop has ended yet.',
  emptyLink: 'See the current airdrop',
  back: 'All earlier airdrops',
  dates: (opensAt: string, closesAt: string | null) =>
    closesAt === null ? `From ${inUtc(opensAt)}` : `${inUtc(opensAt)} to ${inUtc(closesAt)}`,
  results: 'Results',
  payout: 'Payout',
  noPayout: 'Nothing has been frozen for payment yet.',
  journal: 'Journal',
  journalLead: 'Every decision and every point is in the journal. Its head at the end of the airdrop:',
  noHead: 'We publish it the day after.',
  leaderboard: 'Leaderboard',
  rank: 'Rank',
  user: 'User',
  total: 'Total',
  referrals: 'Referrals',
  nobody: 'No one has points.',
  pages: 'Pages of the leaderboard',
  previous: 'Previous',
  nextPage: 'Next',
  page: (page: number, pages: number) => `Page ${grouped(page)} of ${grouped(pages)}`,
  yours: 'Earlier airdrops',
  yourRank: (rank: number) => `Rank ${grouped(rank)}`,
  yourPoints: (total: number) => `${grouped(total)} points`,
} as const
