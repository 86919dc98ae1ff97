import { inUtc } from './phase.ts'
import { SLOT_HOURS } from '#contract/slots.ts'
import { MAX_ATTEMPTS } from '#contract/claims.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { grantedPoints } from '#contract/granted-points.ts'

/** A heading and its paragraphs. */
export type Clause = { title: string; text: readonly string[] }
/** What is stored, why, and for how long. */
export type Stored = { what: string; why: string; kept: string }

export const SMALL_PRINT_WORDS = {
  rulesTitle: 'Rules',
  privacyTitle: 'Privacy and terms',
  terms: 'Terms',
  contents: 'On this page',
  stored: 'What is stored',
  storedColumns: { what: 'What', why: 'Why', kept: 'How long' },
  updated: 'Last changed on',
  risk: 'Risk',
}

export const rulesLead = ({ airdrop, name }: CampaignFile) =>
  `What the ${name} gives, to whom, and how it is decided: ${airdrop.tasks.length} tasks, one proof, one decision by a person.`

export const privacyLead = ({ token }: CampaignFile) =>
  `What this site knows about you, and on what terms ${token.name} offers it. No trackers, nothing from third parties.`

/** The rules that follow from the campaign's own figures; the campaign's paragraphs come after them. */
export function rulesOf({ name, token, chain, airdrop, texts, smallPrint }: CampaignFile): Clause[] {
  const { tasks, pointsPerTask, slots } = airdrop
  const coin = chain.currency.symbol
  return [
    {
      title: 'Who runs it',
      text: [`${smallPrint.operator}. Questions are answered at ${smallPrint.contact}.`],
    },
    {
      title: 'When',
      text: [
        `The ${name} opens on ${inUtc(airdrop.opensAt)}.`,
        airdrop.closesAt === null
          ? 'It stays open until the slots are gone.'
          : `It closes on ${inUtc(airdrop.closesAt)}, or earlier when the slots are gone.`,
      ],
    },
    {
      title: 'Who may take part',
      text: [
        'Whoever has an account with a verified e-mail. One account and one claim for each person.',
        'A wallet, a handle or a post counts for one claim only.',
      ],
    },
    {
      title: 'Slots',
      text: [
        `There are ${grouped(slots)} slots, first come, first served. A claim takes its slot when it is submitted.`,
        `A rejected claim keeps its slot for ${SLOT_HOURS} hours, and while an appeal waits for its answer, unless it was made by a program or by somebody with another account. A claim can be sent ${MAX_ATTEMPTS} times.`,
      ],
    },
    {
      title: 'What to do',
      text: [
        ...tasks.map((task, index) => `${index + 1}. ${task.title}.`),
        'Then submit the proof: your wallet address, your two handles, and the link of your own post.',
      ],
    },
    {
      title: 'How it is decided',
      text: [
        ...texts.airdropRules,
        'What can be seen from outside is looked at: your post, its author, hashtags and time, your wallet on the chain, and whether you are in the group if your Telegram account is connected. The rest is taken on trust: follows, likes, plain reposts, and the group without such an account. No program decides.',
        'A claim that looks like one of several by the same person is held for a closer look. You are told why.',
      ],
    },
    {
      title: 'What it gives',
      text: [
        `Each task is worth ${grouped(pointsPerTask)} points, in ${token.symbol} and in ${coin}. An approved claim is credited ${grouped(grantedPoints(airdrop))} ${token.symbol} points and ${grouped(grantedPoints(airdrop))} ${coin} points, once.`,
      ],
    },
    { title: 'Invitations', text: invitations(airdrop) },
  ]
}

function invitations({ referralReward, referralsPaid }: CampaignFile['airdrop']): string[] {
  if (referralReward === 0 || referralsPaid === 0) return ['Inviting others is welcome. It earns no points.']
  return [
    `Whoever registers with your code and has a claim approved earns you ${grouped(referralReward)} points, for at most ${grouped(referralsPaid)} people.`,
    'Inviting yourself does not count: not with another spelling of your e-mail, nor with the same wallet or handles.',
  ]
}

/** What the product stores. The lifetimes without the campaign's words are those that the server keeps to. */
export function storedOf({ smallPrint: { keptUntil, logsKept } }: CampaignFile): Stored[] {
  return [
    {
      what: 'Your account: username, e-mail, a hash of your password, your referral code, who invited you, and whether you want announcements',
      why: 'To let you in, to mail you codes, to show your place on the board',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'Your claim: wallet address, two handles, the link of your post, what was seen when it was checked, and the decision',
      why: 'To verify the proof and to share out the airdrop',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'What you replace in a claim by editing it: the former wallet address, handles and post',
      why: 'So that nobody else can claim with them while yours is looked at',
      kept: `Removed within ${SLOT_HOURS + 1} hours after the decision, or after the answer to your appeal`,
    },
    {
      what: 'The Telegram account that you connect, if you do: its number and its public name',
      why: 'To see whether you are in the group, and that your handle is yours',
      kept: `Until you disconnect it; with an approved claim, kept ${keptUntil}`,
    },
    {
      what: 'A connection to Telegram that you began, as a hash',
      why: 'To know you when you come back',
      kept: 'Deleted within two hours',
    },
    {
      what: 'Your points, and who credited them and when',
      why: 'So that the books can be checked',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'In the journal: ids, amounts and times of what was decided, and that a Telegram account was connected or disconnected; apart from them, the reasons, that account, and the network address it was done from',
      why: 'So that nobody can change it unseen',
      kept: 'Ids and amounts for good; the rest is erased when you ask for it',
    },
    {
      what: 'A registration whose code was never entered',
      why: 'To wait for the code',
      kept: 'Deleted after a day',
    },
    {
      what: 'The codes that were mailed to you, as a hash, with the random name of the browser that asked if you have logged in there',
      why: 'To know the right one, and to limit guesses',
      kept: 'Deleted two days after they expire',
    },
    {
      what: 'The mails that were sent to you, without their codes',
      why: 'To try again when your mail server is away',
      kept: 'Deleted a week after they were sent',
    },
    {
      what: 'Your session, as a hash',
      why: 'To keep you logged in',
      kept: 'Ends a day after your last visit, and after a week at most',
    },
    {
      what: 'Your network address, while it is counted',
      why: 'To slow down who tries too often',
      kept: 'Deleted a day after the limit ends',
    },
    {
      what: 'Where you signed up and claimed from: a keyed hash of your network, never the address itself',
      why: 'To see many accounts that come from one place within an hour',
      kept: 'Deleted a day after the airdrop is closed, and after 90 days at most',
    },
    {
      what: 'The web server’s log, with your network address and what was asked for',
      why: 'To find faults and attacks',
      kept: `Kept ${logsKept}`,
    },
  ]
}

/** The rest of privacy that follows from how the product works. */
export function privacyOf({ smallPrint }: CampaignFile): Clause[] {
  return [
    {
      title: 'Who is responsible',
      text: [`${smallPrint.operator}. Write to ${smallPrint.contact}.`],
    },
    {
      title: 'Who else sees it',
      text: [
        'Everybody sees the leaderboard: your username, your points, and your e-mail with most of its name covered.',
        'The people who verify claims see yours and open your post. The mail server sees what is mailed to you.',
        'If you connect Telegram, you confirm it on Telegram’s own site, which learns that you take part here, and our server asks it whether that account is in the group.',
        'Nobody else. Your browser speaks to this site alone: price and chain are asked by our server, not by you. A link that leaves this site opens in a new tab, and the other site’s own terms count there.',
      ],
    },
    {
      title: 'In your browser',
      text: [
        'There are three cookies, and no script can read them. For a day after you ask for a code, one tells your browser from strangers who guess at that code. For a year after your last login, one tells it from strangers who try passwords, so that they cannot lock you out. For a week, one sees to it that your session works in this browser alone. They hold random text and follow nobody. Your browser also keeps your session, your account’s data, the theme you chose, the code you were invited with and the draft of your claim. Logout removes what belongs to you.',
      ],
    },
    {
      title: 'What you may ask for',
      text: [
        `A copy of your data, a correction, or its deletion: write to ${smallPrint.contact} from the e-mail of your account.`,
      ],
    },
  ]
}

/** A day as `2026-11-01` in words. */
export function dayInWords(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

const grouped = (figure: number) => figure.toLocaleString('en')
