import { counted } from './numbers.ts'

/** The words of the airdrop's three steps. */
export const AIRDROP = {
  title: 'Airdrop',
  steps: ['Start', 'Tasks', 'Proof'],
  stepOf: (step: number, name: string) => `Step ${step} of 3: ${name}`,
  done: 'Done',
  back: 'Back',
  slots: 'Slots left',
  of: 'of',
  slotsGone: 'All slots are taken.',
} as const

export const START = {
  title: 'Claim your place',
  claim: 'Claim Now',
  claimed: 'Already Claimed',
  register: 'Register Now',
  leaderboard: 'See the leaderboard',
  haveAccount: 'Have an account?',
  login: 'Login',
  loading: 'Looking up your account',
} as const

export const TASKS = {
  title: (tasks: number) => counted(tasks, 'task', 'tasks'),
  lead: 'Each opens in a new tab. Come back here after each one.',
  pending: 'pending',
  pendingHint: 'Points are credited when an administrator has verified your proof.',
  open: 'Open',
  done: 'Done',
  allDone: 'All Tasks Done — Continue',
  notDone: 'Complete All Tasks to Continue',
} as const

export const PROOF = {
  title: 'Claim Your Airdrop',
  lead: 'A person checks every proof by hand. Make sure that it is yours.',
  /** @param withTelegram Whether a Telegram account can be connected. */
  evidence: (withTelegram: boolean) => [
    {
      what: 'Can be shown',
      how: withTelegram
        ? 'your post, who wrote it, its hashtags and its time; that your wallet is used on the chain; that you joined the group, if you connect Telegram on your profile afterwards.'
        : 'your post, who wrote it, its hashtags and its time; that your wallet is used on the chain.',
    },
    {
      what: 'Taken on trust',
      how: withTelegram
        ? 'follows, likes and plain reposts, which nobody outside X can see; joining the group, unless you connect Telegram.'
        : 'follows, likes and plain reposts, which nobody outside X can see, and joining the group.',
    },
  ],
  wallet: 'Wallet Address',
  walletPlaceholder: 'EVM-compatible wallet address',
  walletHint: 'Only the public address. Nobody here ever asks for a key or a seed phrase.',
  telegram: 'Telegram',
  telegramPlaceholder: '@your_telegram',
  twitter: 'Twitter',
  twitterPlaceholder: '@your_twitter',
  retweetLink: 'Retweet Link',
  retweetPlaceholder: 'https://x.com/your_twitter/status/…',
  retweetHint: 'The link of your own comment or quote. A plain repost has no link of its own.',
  button: 'Submit',
  done: 'Task submitted successfully!',
  failed: 'Failed to submit task',
  loginFirst: 'You must be logged in to submit a task!',
  alreadyClaimed: 'You have already claimed the airdrop!',
  full: 'No slot is left for this claim. What you typed is kept.',
} as const
