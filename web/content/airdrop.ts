import { counted } from './shared.ts'

/** Texts of the airdrop's three steps. */
export const AIRDROP = {
  title: 'Airdrop',
  steps: ['Start', 'Tasks', 'Proof'],
  stepOf: (step: number, name: string) => `Step ${step} of 3: ${name}`,
  done: 'Done',
  back: 'Back',
  slots: 'Slots left',
  outOf: 'of',
  noSlotsLeft: 'All slots are taken.',
} as const

export const START = {
  title: 'Claim your slot',
  claim: 'Claim Now',
  claimed: 'Already Claimed',
  register: 'Register Now',
  leaderboard: 'See the leaderboard',
  haveAccount: 'Have an account?',
  login: 'Login',
  loading: 'Loading your account',
} as const

export const TASKS = {
  title: (tasks: number) => counted(tasks, 'task', 'tasks'),
  lead: 'Each task opens in a new tab. Come back here after each one.',
  pending: 'pending',
  pendingHint: 'Points are credited once an administrator has verified your proof.',
  open: 'Open',
  done: 'Done',
  allDone: 'All Tasks Done — Continue',
  notDone: 'Complete All Tasks to Continue',
} as const

export const PROOF = {
  title: 'Claim Your Airdrop',
  lead: 'A person checks every proof by hand, so make sure it is your own.',
  /** @param withTelegram Whether a Telegram account can be connected. */
  evidence: (withTelegram: boolean) => [
    {
      what: 'What we can check',
      how: withTelegram
        ? 'your post, its author, hashtags and time; whether your wallet has been used on the chain; whether it is yours, if you sign with it; and, if you connect Telegram on your profile afterwards, whether you joined the group.'
        : 'your post, its author, hashtags and time; whether your wallet has been used on the chain; and whether it is yours, if you sign with it.',
    },
    {
      what: 'What we take on trust',
      how: withTelegram
        ? 'follows, likes and plain reposts, which no one outside X can see; and joining the group, unless you connect Telegram.'
        : 'follows, likes and plain reposts, which no one outside X can see; and joining the group.',
    },
  ],
  button: 'Submit',
  done: 'Task submitted successfully!',
  failed: 'Failed to submit task',
  loginFirst: 'You must be logged in to submit a task!',
  alreadyClaimed: 'You have already claimed the airdrop!',
  full: 'There are no slots left for this claim. What you entered is saved.',
} as const
