import { PRIVACY, PRIVACY_PAGE, RULES, RULES_PAGE, STORED } from '#messages/small-print.js'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { differInPoints, grantedPoints, pointsOfTask } from '#contract/claims/granted-points.ts'
import { inUtc } from '../dates.ts'
import { pointsInWords } from '../points.ts'
import { asksForHashtags, hasGroup } from '../tasks.ts'

export type Clause = { title: string; text: readonly string[] }

export const rulesLead = ({ airdrop, name }: CampaignFile) =>
  RULES_PAGE.lead({ campaign: name, tasks: airdrop.tasks.length })

export const privacyLead = ({ token }: CampaignFile) => PRIVACY_PAGE.lead({ token: token.name })

/** The rules that follow from the campaign's settings, without the paragraphs that the campaign adds. */
export function rulesOf(campaign: CampaignFile): Clause[] {
  const { airdrop, texts, smallPrint } = campaign
  const { tasks, slots } = airdrop
  const { organizer, participants, todo, decision, accounts } = RULES
  const hashtags = asksForHashtags(tasks)
  return [
    { title: organizer.title, text: [organizer.text(smallPrint)] },
    { title: RULES.dates.title, text: dates(campaign) },
    { title: participants.title, text: [participants.accounts, participants.once] },
    { title: RULES.slots.title, text: [RULES.slots.count({ slots }), RULES.slots.kept] },
    {
      title: todo.title,
      text: [...tasks.map(({ title }, index) => todo.step({ number: index + 1, title })), todo.proof],
    },
    {
      title: decision.title,
      text: [
        ...texts.airdropRules,
        hasGroup(tasks) ? decision.withGroup({ hashtags }) : decision.withoutGroup({ hashtags }),
        decision.hold,
      ],
    },
    { title: RULES.rewards.title, text: rewards(campaign) },
    { title: RULES.invitations.title, text: invitations(airdrop) },
    { title: accounts.title, text: [accounts.suspended, accounts.invited, accounts.deleted] },
  ]
}

function dates({ name, airdrop: { opensAt, closesAt } }: CampaignFile): string[] {
  const { opens, openUntilFull, closes, changes, pause } = RULES.dates
  return [
    opens({ campaign: name, date: inUtc(opensAt) }),
    closesAt === null ? openUntilFull : closes({ date: inUtc(closesAt) }),
    changes,
    pause,
  ]
}

function rewards(campaign: CampaignFile): string[] {
  const { airdrop, token, chain } = campaign
  const words = RULES.rewards
  const sum = pointsInWords(grantedPoints(airdrop), campaign)
  const worths = airdrop.tasks.map((task) => pointsOfTask(task, airdrop))
  if (differInPoints(airdrop))
    return [
      words.list,
      ...worths.map((worth, index) =>
        words.worth({ number: index + 1, points: pointsInWords(worth, campaign) }),
      ),
      words.earned({ points: sum }),
    ]
  const [worth = { pfPoints: 0, plsPoints: 0 }] = worths
  const tasks = airdrop.tasks.length
  const symbols = { symbol: token.symbol, coin: chain.currency.symbol }
  const { pfPoints: points } = worth
  return [
    // “5 points, in ABC and in XYZ” if both are the same.
    points === worth.plsPoints && points > 1
      ? words.eachInBoth({ tasks, points, ...symbols, sum })
      : words.each({ tasks, points: pointsInWords(worth, campaign), sum }),
  ]
}

function invitations({ referralReward, referralsPaid }: CampaignFile['airdrop']): string[] {
  const { unrewarded, rewarded, yourself } = RULES.invitations
  if (referralReward === 0 || referralsPaid === 0) return [unrewarded]
  return [rewarded({ points: referralReward, people: referralsPaid }), yourself]
}

/** What the product stores. The server enforces the retention periods that are not from the campaign file. */
export function storedOf({ airdrop, smallPrint: { keptUntil, logsKept } }: CampaignFile) {
  // One hour more, because wallets and handles that a claim no longer reserves are purged once an hour.
  const values = { hours: SLOT_HOURS + 1, group: hasGroup(airdrop.tasks) }
  return Object.entries(STORED).map(([name, { what, why, kept }]) => ({
    what,
    why: typeof why === 'string' ? why : why(values),
    kept: typeof kept === 'string' ? kept : kept({ ...values, until: name === 'log' ? logsKept : keptUntil }),
  }))
}

/** The clauses that every campaign's privacy page has, without what is stored. */
export function privacyOf({ airdrop, smallPrint }: CampaignFile): Clause[] {
  const { responsible, seen, browser, announcements, copies, remains } = PRIVACY
  const group = hasGroup(airdrop.tasks)
  return [
    { title: responsible.title, text: [responsible.text(smallPrint)] },
    {
      title: seen.title,
      text: [seen.everyone, seen.administrators, seen.programs, seen.telegram({ group }), seen.others],
    },
    { title: browser.title, text: [browser.text] },
    { title: announcements.title, text: [announcements.text] },
    { title: copies.title, text: [copies.yourself, copies.contact(smallPrint)] },
    { title: remains.title, text: [remains.numbers, remains.allocation, remains.journal] },
  ]
}
