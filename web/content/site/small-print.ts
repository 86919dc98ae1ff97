import { inUtc } from '../phase.ts'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { areWorthsDifferent, grantedPoints, pointsOfTask } from '#contract/claims/granted-points.ts'
import { pointsInWords } from '../points.ts'
import { counted } from '../shared.ts'
import { hasGroup, postChecks } from '../tasks.ts'

/** A heading and its paragraphs. */
export type Clause = { title: string; text: readonly string[] }
/** What is stored, why, and for how long. */
export type Stored = { what: string; why: string; kept: string }

export const rulesLead = ({ airdrop, name }: CampaignFile) =>
  `What you get from the ${name}, who can take part, and how claims are decided: ${counted(airdrop.tasks.length, 'task', 'tasks').toLowerCase()}, one proof, and one decision made by a person.`

export const privacyLead = ({ token }: CampaignFile) =>
  `What this site stores about you, and the terms on which ${token.name} offers it. There are no trackers, and nothing is loaded from third parties.`

/** The rules derived from the campaign's settings; the campaign's own paragraphs follow them. */
export function rulesOf(campaign: CampaignFile): Clause[] {
  const { name, airdrop, texts, smallPrint } = campaign
  const { tasks, slots } = airdrop
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
        'We may move the end to a later date and add slots, but we never take slots away. If the airdrop has to close early, we still decide every claim sent before then.',
        'We may pause the airdrop, with a notice on this site. During a pause, no one can claim and no slot expires: slots that are kept or reserved are extended by the length of the pause.',
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
        `A rejected claim keeps its slot for ${SLOT_HOURS} hours and while an appeal is open, unless it was made by a program or by someone who has another account. You can submit a claim up to ${MAX_ATTEMPTS} times.`,
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
        hasGroup(tasks)
          ? `We check what is publicly visible: ${postChecks(tasks)}, your wallet on the chain and, if you connect your Telegram account, whether you are in the group. If you sign a message with your wallet, we know that it is yours. The rest we take on trust: follows, likes, plain reposts, and the group if you don’t connect Telegram. A person makes every decision.`
          : `We check what is publicly visible: ${postChecks(tasks)}, and your wallet on the chain. If you sign a message with your wallet, we know that it is yours. The rest we take on trust: follows, likes and plain reposts. A person makes every decision.`,
        'If your claim looks like one of several by the same person, we hold it for a closer look and tell you why.',
      ],
    },
    { title: 'What you get', text: rewards(campaign) },
    { title: 'Invitations', text: invitations(airdrop) },
    {
      title: 'Suspended and deleted accounts',
      text: [
        'We suspend accounts that break these rules. We email their owners why, and where to object. A suspended account cannot log in and leaves the leaderboard. A claim that is waiting for a decision is rejected, and its slot goes to the next person. Points stay in the ledger but are not paid while the account is suspended, and inviting others earns no new points. If the suspension is lifted, the claim returns to review as soon as a slot is free.',
        'If you invited someone who is then suspended, you keep the reward unless their approval is undone.',
        'You can delete your account on your profile. If your claim is still waiting for a decision, it ends and its slot is released. Points are not paid unless the allocation has already been frozen.',
      ],
    },
  ]
}

function rewards(campaign: CampaignFile): string[] {
  const { airdrop, token, chain } = campaign
  const earned = `An approved claim earns ${pointsInWords(grantedPoints(airdrop), campaign)}, once.`
  const worths = airdrop.tasks.map((task) => pointsOfTask(task, airdrop))
  if (areWorthsDifferent(airdrop))
    return [
      'What each task is worth:',
      ...worths.map((worth, index) => `${index + 1}. ${pointsInWords(worth, campaign)}.`),
      earned,
    ]
  const [worth = { pfPoints: 0, plsPoints: 0 }] = worths
  const inWords =
    worth.pfPoints === worth.plsPoints && worth.pfPoints > 1
      ? `${grouped(worth.pfPoints)} points, in ${token.symbol} and in ${chain.currency.symbol}`
      : pointsInWords(worth, campaign)
  return [`${airdrop.tasks.length === 1 ? 'The' : 'Each'} task is worth ${inWords}. ${earned}`]
}

function invitations({ referralReward, referralsPaid }: CampaignFile['airdrop']): string[] {
  if (referralReward === 0 || referralsPaid === 0)
    return ['You are welcome to invite others. Invitations earn no points.']
  return [
    `You earn ${grouped(referralReward)} points for each person who registers with your code and has a claim approved, for up to ${grouped(referralsPaid)} people.`,
    'Inviting yourself does not count, including with another spelling of your email or with the same wallet or handles.',
  ]
}

/** What the product stores. The server enforces every retention period that the campaign file does not set. */
export function storedOf({ airdrop, smallPrint: { keptUntil, logsKept } }: CampaignFile): Stored[] {
  return [
    {
      what: 'Your account: username, email, a hash of your password, your referral code, who invited you, and whether you want announcements',
      why: 'To let you log in, email you codes and show your rank on the leaderboard',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'If your account is suspended: when and why',
      why: 'To tell you and the administrators',
      kept: 'Until the suspension is lifted',
    },
    {
      what: 'After you delete your account: its username, and its email as a keyed hash',
      why: 'To prevent starting over right away, and others taking your name while people still know it as yours',
      kept: `Deleted after ${SLOT_HOURS} hours`,
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
      why: hasGroup(airdrop.tasks)
        ? 'To check that you are in the group and that your handle is yours'
        : 'To check that your handle is yours',
      kept: `Until you disconnect it; with an approved claim, kept ${keptUntil}`,
    },
    {
      what: 'A Telegram connection that you started, as a hash',
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
      why: 'To keep the ledger verifiable',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'In the journal: IDs, amounts and times of decisions, and that a Telegram account was connected or disconnected, or a wallet proven or removed; stored separately, the reasons, that account, that wallet, and the network address it was done from',
      why: 'To make later changes visible',
      kept: 'IDs and amounts permanently; the rest until you delete your account, or ask us to erase it',
    },
    {
      what: 'The site that led you here when you registered: its host, such as example.org, if your browser says so',
      why: 'To see where participants come from',
      kept: `Kept ${keptUntil}`,
    },
    {
      what: 'How often each page is viewed on a day, and from which sites visits come: numbers only, nothing about you, and nothing at all if your browser sends Do Not Track or Global Privacy Control',
      why: 'To see how many people the airdrop reaches',
      kept: 'Permanently: they identify no one',
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
      what: 'The emails that we sent you, without their codes, and what the mail server answered',
      why: 'To retry when your mail server is unreachable, and to help when an email does not arrive',
      kept: 'Deleted a week after they were sent',
    },
    {
      what: 'Which announcement you received, if you asked for announcements',
      why: 'To send you each one only once',
      kept: 'Deleted a week after it was sent to everyone, or after it was stopped',
    },
    {
      what: 'That your email address refuses emails, if the mail server says that it doesn’t exist',
      why: 'To stop writing to it',
      kept: 'Until an email is accepted there, or a year after the last refusal; if an administrator added it, until it is removed',
    },
    {
      what: 'Messages to the operator’s own programs about your claim: its ID, your username, slot and the decision',
      why: 'To keep the operator’s own tools, such as a bot or a spreadsheet, up to date',
      kept: 'Deleted after two weeks',
    },
    {
      what: 'Your session, as a hash, with the kind of browser and system it began in, such as “Firefox on Linux”, and its network address without the last part',
      why: 'To keep you logged in, and to show you where you are logged in',
      kept: 'Ends a day after your last visit, or after a week at the latest',
    },
    {
      what: 'The language that you choose: a cookie and an entry of your browser’s storage, both called “locale”, and with your account',
      why: 'To show pages and write emails in it',
      kept: 'In your browser for a year, or until you delete it; with your account as long as that exists',
    },
    {
      what: 'If you use two-factor login: the secret of your authenticator app, encrypted, and your recovery codes, as hashes',
      why: 'To check your codes',
      kept: 'Until you turn it off',
    },
    {
      what: 'Your network address or your email, while a rate limit applies to it',
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
export function privacyOf({ airdrop, smallPrint }: CampaignFile): Clause[] {
  return [
    {
      title: 'Who is responsible',
      text: [`${smallPrint.operator}. Write to ${smallPrint.contact}.`],
    },
    {
      title: 'Who else sees it',
      text: [
        'Everyone can see the leaderboard: your username, your points, and your email with most of the part before the @ hidden.',
        'Administrators see your account, your claim, what the checks found, the emails that we sent you, and when you were last here. They also open your post. The mail server sees the emails that we send you.',
        'Programs that the operator has set up may receive your username and the outcome of your claim, but never your email or your wallet. Other sites may show the top of the leaderboard, with usernames and points.',
        `If you connect Telegram, you confirm on Telegram’s own site, which learns that you take part here${hasGroup(airdrop.tasks) ? ', and our server asks it whether that account is in the group' : ''}.`,
        'No one else. Your browser connects only to this site: our server, not your browser, requests price and chain data. Links to other sites open in a new tab, and those sites’ own terms apply there.',
      ],
    },
    {
      title: 'In your browser',
      text: [
        'We use three cookies, and no script can read them. For a day after you request a code, one tells your browser apart from strangers guessing that code. For a year after your last login, one tells it apart from strangers trying passwords, so that they cannot lock you out. For a week, one makes sure that your session works only in this browser. They hold random text and do not track you. If you choose a language, a fourth cookie remembers it for a year. Your browser also stores your session, your account data, the theme and the language you chose, whether you declined another language, the code you were invited with and the draft of your claim. Until you close the tab, it also remembers which site led you here, so that a visit is counted once, unless your browser sends Do Not Track or Global Privacy Control. Logging out removes everything that belongs to you.',
      ],
    },
    {
      title: 'Announcements',
      text: [
        'You get announcements only if you asked for them when you registered or on your profile. Each one has a link to unsubscribe right away, without logging in.',
      ],
    },
    {
      title: 'Downloading your data and deleting your account',
      text: [
        'On your profile, you can download everything we store about you as one file. You can also delete your account there with your password.',
        `If something needs correcting, or if you can’t log in, write to ${smallPrint.contact} from your account’s email address, and we’ll do it for you.`,
      ],
    },
    {
      title: 'What remains of a deleted account',
      text: [
        'Numbers without a name, because everyone else’s points depend on them: a random ID and the time of registration; the number, times and decision of a claim, without its proof; its slot, if it was approved; the points in the ledger; and who invited the account, if they earned a reward for it.',
        'If the allocation has been frozen, your wallet and its amounts: they are public, others have copies, and the wallet is paid.',
        'The sealed part of the journal, which holds IDs, amounts and times. The email that confirms the deletion, for a week. The web server’s log, and backups, until newer ones replace them.',
      ],
    },
  ]
}

/** Formats a day such as `2026-11-01` in words. */
export function dayInWords(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

const grouped = (figure: number) => figure.toLocaleString('en')
