import {
  AIRDROP as AIRDROP_MESSAGES,
  TASKS as TASKS_MESSAGES,
  PROOF as PROOF_MESSAGES,
} from '#messages/airdrop.js'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { counted } from './shared.ts'
import { hasGroup, postChecks } from './tasks.ts'

/** Texts of the airdrop's three steps. */
export const AIRDROP = {
  ...AIRDROP_MESSAGES,
  steps: (tasks: number) => ['Start', tasks === 1 ? 'Task' : 'Tasks', 'Proof'],
}

export const TASKS = {
  ...TASKS_MESSAGES,
  title: (tasks: number) => counted(tasks, 'task', 'tasks'),
}

export const PROOF = {
  ...PROOF_MESSAGES,
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
}

function trustedGroup(isTask: boolean, withTelegram: boolean): string {
  if (!isTask) return ''
  return withTelegram ? '; and joining the group, unless you connect Telegram' : '; and joining the group'
}
