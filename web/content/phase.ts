import { STAGE_WORDS as STAGE_WORDS_MESSAGES, ARCHIVE as ARCHIVE_MESSAGES } from '#messages/phase.js'
import type { Results } from '#contract/campaigns.ts'
import type { ClaimStatus } from '#contract/entities.ts'

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
export const STAGE_WORDS = {
  ...STAGE_WORDS_MESSAGES,
  paused: {
    stamp: 'Paused',
    when: null,
    note: 'We’re not accepting claims right now. Claims already sent are still being reviewed, and no slots expire.',
  },
}

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
  ...ARCHIVE_MESSAGES,
  dates: (opensAt: string, closesAt: string | null) =>
    closesAt === null ? `From ${inUtc(opensAt)}` : `${inUtc(opensAt)} to ${inUtc(closesAt)}`,
}
