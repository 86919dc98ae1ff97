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
  `What the ${name} gives, to whom, and how claims are decided: ${airdrop.tasks.length} tasks, one proof, one decision by a person.`

export const privacyLead = ({ token }: CampaignFile) =>
  `What this site knows about you, and the terms on which ${token.name} offers it. No trackers, nothing from third parties.`

/** The rules derived from the campaign's settings; the campaign's own paragraphs follow them. */
export function rulesOf({ name, token, chain, airdrop, texts, smallPrint }: CampaignFile): Clause[] {
  const { tasks, pointsPerTask, slots } = airdrop
  const coin = chain.currency.symbol
  return [
    {
      title: 'Who runs it',
      text: [`${smallPrint.operator}. Send questions to ${smallPrint.contact}.`],
    },
    {
      title: 'When',
      text: [
        `The ${name} opens on ${inUtc(airdrop.opensAt)}.`,
        airdrop.closesAt === null
          ? 'It stays open until all slots are taken.'
          : `It closes on ${inUtc(airdrop.closesAt)}, or earlier if all slots are taken.`,
      ],
    },
    {
      title: 'Who may take part',
      text: [
        'Anyone with an account and a verified email. One account and one claim per person.',
        'A wallet, a handle or a post can be used for one claim only.',
      ],
    },
    {
      title: 'Slots',
      text: [
        `There are ${grouped(slots)} slots, first come, first served. A claim takes its slot when it is submitted.`,
        `A rejected claim keeps its slot for ${SLOT_HOURS} hours and while an appeal is open, unless it was made by a program or by someone with another account. You can send a claim up to ${MAX_ATTEMPTS} times.`,
      ],
    },
    {
      title: 'What to do',
      text: [
        ...tasks.map((task, index) => `${index + 1}. ${task.title}.`),
        'Then submit the proof: your wallet address, your two handles, and the link to your own post.',
      ],
    },
    {
      title: 'How it is decided',
      text: [
        ...texts.airdropRules,
        'We check what is publicly visible: your post, its author, hashtags and time, your wallet on the chain and, if you connect your Telegram account, whether you are in the group. If you sign a message with your wallet, we know that it is yours. The rest we take on trust: follows, likes, plain reposts, and the group if you do not connect Telegram. No decision is made by a program.',
        'A claim that looks like one of several by the same person is held for a closer look, and we tell you why.',
      ],
    },
    {
      title: 'What it gives',
      text: [
        `Each task is worth ${grouped(pointsPerTask)} points, in ${token.symbol} and in ${coin}. An approved claim earns ${grouped(grantedPoints(airdrop))} ${token.symbol} points and ${grouped(grantedPoints(airdrop))} ${coin} points, once.`,
      ],
    },
    { title: 'Invitations', text: invitations(airdrop) },
  ]
}

function invitations({ referralReward, referralsPaid }: CampaignFile['airdrop']): string[] {
  if (referralReward === 0 || referralsPaid === 0)
    return ['You are welcome to invite others. Invitations earn no points.']
  return [
    `You earn ${grouped(referralReward)} points for each person who registers with your code and has a claim approved, for up to ${grouped(referralsPaid)} people.`,
    'Inviting yourself does not count, whether with another spelling of your email or with the same wallet or handles.',
  ]
}

/** What the product stores. The server enforces every retention period that the campaign file does not set. */
export function storedOf({ smallPrint: { keptUntil, logsKept } }: CampaignFile): Stored[] {
  return [
    {
      what: 'Your account: username, email, a hash of your password, your referral code, who invited you, and whether you want announcements',
      why: 'To let you log in, email you codes and show your rank on the leaderboard',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'Your claim: wallet address, two handles, the link to your post, what the checks found, and the decision',
      why: 'To verify your proof and distribute the airdrop',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'What you replace when you edit a claim: the previous wallet address, handles and post',
      why: 'So that no one else can claim with them while your claim is being reviewed',
      kept: `Removed within ${SLOT_HOURS + 1} hours of the decision, or of the answer to your appeal`,
    },
    {
      what: 'The Telegram account that you connect, if you do: its Telegram ID and public name',
      why: 'To check that you are in the group and that your handle is yours',
      kept: `Until you disconnect it; with an approved claim, kept ${keptUntil}`,
    },
    {
      what: 'A connection to Telegram that you started, as a hash',
      why: 'To recognize you when you come back',
      kept: 'Deleted within two hours',
    },
    {
      what: 'If you prove that a wallet is yours: its address, its kind (a regular account or a smart wallet) and the time; never the signature',
      why: 'To show reviewers that the wallet of your claim is yours, and to keep others from claiming with it',
      kept: `Until you remove it; with an approved claim, kept ${keptUntil}`,
    },
    {
      what: 'A message that you were asked to sign with your wallet',
      why: 'To verify your signature',
      kept: 'Deleted with the signature, or within two hours',
    },
    {
      what: 'Your points, and who credited them and when',
      why: 'So that the ledger can be checked',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'In the journal: IDs, amounts and times of decisions, and that a Telegram account was connected or disconnected, or a wallet proven or removed; stored separately, the reasons, that account, that wallet, and the network address it was done from',
      why: 'So that no one can change it unnoticed',
      kept: 'IDs and amounts permanently; the rest until you ask us to erase it',
    },
    {
      what: 'A registration whose code was never entered',
      why: 'To give you time to enter the code',
      kept: 'Deleted after a day',
    },
    {
      what: 'The codes that we emailed to you, as hashes, with the random ID of the requesting browser if you have logged in there before',
      why: 'To check the code and limit guesses',
      kept: 'Deleted two days after they expire',
    },
    {
      what: 'The emails that we sent you, without their codes',
      why: 'To retry when your mail server is unreachable',
      kept: 'Deleted a week after they were sent',
    },
    {
      what: 'Your session, as a hash',
      why: 'To keep you logged in',
      kept: 'Ends a day after your last visit, or after a week at the latest',
    },
    {
      what: 'Your network address, while a rate limit applies to it',
      why: 'To slow down repeated attempts',
      kept: 'Deleted a day after the limit ends',
    },
    {
      what: 'The network you signed up and claimed from: a keyed hash, never the address itself',
      why: 'To detect many accounts from one network within an hour',
      kept: 'Deleted a day after the airdrop closes, or after 90 days at the latest',
    },
    {
      what: 'The web server’s log, with your network address and what was requested',
      why: 'To find errors and attacks',
      kept: `Kept ${logsKept}`,
    },
  ]
}

/** The other privacy terms that the product itself determines. */
export function privacyOf({ smallPrint }: CampaignFile): Clause[] {
  return [
    {
      title: 'Who is responsible',
      text: [`${smallPrint.operator}. Write to ${smallPrint.contact}.`],
    },
    {
      title: 'Who else sees it',
      text: [
        'Everyone can see the leaderboard: your username, your points, and your email with most of its name hidden.',
        'Reviewers see your claim and open your post. The mail server sees the emails that we send you.',
        'If you connect Telegram, you confirm on Telegram’s own site, which learns that you take part here, and our server asks it whether that account is in the group.',
        'No one else. Your browser connects only to this site: our server, not your browser, requests price and chain data. Links to other sites open in a new tab, and those sites’ own terms apply there.',
      ],
    },
    {
      title: 'In your browser',
      text: [
        'There are three cookies, and no script can read them. For a day after you request a code, one tells your browser apart from strangers guessing that code. For a year after your last login, one tells it apart from strangers trying passwords, so that they cannot lock you out. For a week, one makes sure that your session works only in this browser. They hold random text and do not track you. Your browser also stores your session, your account data, the theme you chose, the code you were invited with and the draft of your claim. Logging out removes everything that belongs to you.',
      ],
    },
    {
      title: 'What you can ask for',
      text: [
        `A copy of your data, a correction, or its deletion: write to ${smallPrint.contact} from your account’s email address.`,
      ],
    },
  ]
}

/** Formats a day such as `2026-11-01` in words. */
export function dayInWords(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

const grouped = (figure: number) => figure.toLocaleString('en')
