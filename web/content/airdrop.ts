import type { CampaignFile } from '#contract/campaign-file.ts'
import { counted } from './shared.ts'
import { hasGroup, postChecks } from './tasks.ts'

/** Texts of the airdrop's three steps. */
export const AIRDROP = {
  title: 'Airdrop',
  steps: (tasks: number) => ['Start', tasks === 1 ? 'Task' : 'Tasks', 'Proof'],
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
  login: 'Log in',
  loading: 'Loading your account',
} as const

export const TASKS = {
  title: (tasks: number) => counted(tasks, 'task', 'tasks'),
  lead: (tasks: number) =>
    tasks === 1
      ? 'The task opens in a new tab. Come back here afterwards.'
      : 'Each task opens in a new tab. Come back here after each one.',
  pending: 'pending',
  pendingHint: 'You get your points once a reviewer has verified your proof.',
  open: 'Open',
  done: 'Done',
  allDone: (tasks: number) => (tasks === 1 ? 'Task Done — Continue' : 'All Tasks Done — Continue'),
  notDone: (tasks: number) =>
    tasks === 1 ? 'Complete the Task to Continue' : 'Complete All Tasks to Continue',
} as const

export const PROOF = {
  title: 'Claim Your Airdrop',
  lead: 'A reviewer checks every proof by hand, so submit only your own.',
  /** @param withTelegram Whether a Telegram account can be connected. */
  evidence: (tasks: CampaignFile['airdrop']['tasks'], withTelegram: boolean) => [
    {
      what: 'What we can check',
      how: withTelegram
        ? `${postChecks(tasks)}; whether your wallet has been used on the chain; whether it is yours, if you sign with it; and, if you connect Telegram on your profile afterwards, whether ${hasGroup(tasks) ? 'you joined the group' : 'your handle is yours'}.`
        : `${postChecks(tasks)}; whether your wallet has been used on the chain; and whether it is yours, if you sign with it.`,
    },
    {
      what: 'What we take on trust',
      how: `follows, likes and plain reposts, which no one outside X can see${trustedGroup(hasGroup(tasks), withTelegram)}.`,
    },
  ],
  button: 'Submit',
  done: 'Task submitted successfully!',
  failed: 'Failed to submit task',
  loginFirst: 'You must be logged in to submit a task!',
  alreadyClaimed: 'You have already claimed the airdrop!',
  full: 'There are no slots left. What you entered is saved.',
} as const

function trustedGroup(isTask: boolean, withTelegram: boolean): string {
  if (!isTask) return ''
  return withTelegram ? '; and joining the group, unless you connect Telegram' : '; and joining the group'
}
