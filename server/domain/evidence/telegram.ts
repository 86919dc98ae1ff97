import * as z from 'zod/mini'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { TELEGRAM_HANDLE } from '#contract/accounts/telegram.ts'
import type { Config } from '#server/config/config.ts'
import type { HttpClient, Outcome, Reply } from '#server/platform/outbound/http-client.ts'
import {
  type ClaimToCheck,
  copyOfReply,
  couldNotTell,
  type Finding,
  type Source,
  foundWithoutAnswer,
  type Found,
  isSameHandle,
} from './finding.ts'

const NAME = 'Telegram Bot API'
const MEMBERSHIP_CHECKS = ['telegram'] as const

/** `telegramClientId` is set if participants can connect their Telegram accounts. */
export type TelegramConfig = Pick<Config, 'telegramApiUrl' | 'telegramBotToken' | 'telegramClientId'>

/**
 * Checks whether the participant is in the campaign's Telegram group. This needs a bot and the participant's
 * Telegram id, because the Bot API cannot look up handles. Also checks the handle if participants can connect
 * their accounts.
 */
export function telegramSource(http: HttpClient, config: TelegramConfig, campaign: CampaignFile): Source {
  const group = groupOf(campaign)
  const hasLogin = config.telegramClientId !== undefined
  return {
    name: NAME,
    checks: hasLogin ? [...MEMBERSHIP_CHECKS, 'telegram-handle'] : MEMBERSHIP_CHECKS,
    async run(claim) {
      const membership = await checkMembership(http, config, { group, telegramId: claim.telegram_id })
      return { findings: hasLogin ? [...membership, checkHandle(claim)] : membership }
    },
  }
}

/** `@name` from the first task that links to a public Telegram group. Invite links contain no name. */
export function groupOf({ airdrop }: CampaignFile): string | undefined {
  for (const { url } of airdrop.tasks) {
    const [, name = ''] = /^https:\/\/(?:t|telegram)\.me\/(\w+)\/?$/.exec(url) ?? []
    if (TELEGRAM_HANDLE.test(name)) return `@${name}`
  }
  return undefined
}

async function checkMembership(
  http: HttpClient,
  { telegramApiUrl, telegramBotToken }: TelegramConfig,
  { group, telegramId }: { group: string | undefined; telegramId: number | null },
): Promise<Finding[]> {
  const inconclusive = (code: 'no_bot' | 'no_group' | 'no_telegram_id') =>
    couldNotTell({ name: NAME, checks: MEMBERSHIP_CHECKS }, { code })
  if (!telegramBotToken) return inconclusive('no_bot')
  if (!group) return inconclusive('no_group')
  if (telegramId === null) return inconclusive('no_telegram_id')
  const address = `${telegramApiUrl.replace(/\/+$/, '')}/bot${telegramBotToken}/getChatMember`
  const body = { chat_id: group, user_id: telegramId }
  const { outcome, reply } = await http.requestWithReply(address, { method: 'POST', body })
  return [{ check: 'telegram', source: NAME, copy: copyOfReply(reply), ...checkMember(outcome, reply) }]
}

function checkHandle({
  telegram: claimed,
  telegram_id: id,
  telegram_name: name,
}: Pick<ClaimToCheck, 'telegram' | 'telegram_id' | 'telegram_name'>): Finding {
  const source = 'Telegram login'
  const check = 'telegram-handle'
  if (id === null || name === null) {
    const code = id === null ? 'handle_unknown' : 'handle_none'
    return { check, outcome: 'could_not_tell', found: { code }, source }
  }
  return isSameHandle(name, claimed)
    ? { check, outcome: 'confirmed', found: { code: 'handle_same', handle: name }, source }
    : { check, outcome: 'contradicted', found: { code: 'handle_other', handle: name, claimed }, source }
}

const Member = z.object({
  ok: z.literal(true),
  result: z.object({ status: z.string(), is_member: z.optional(z.boolean()) }),
})
const Refusal = z.object({ description: z.string() })
const TooMany = z.object({ parameters: z.object({ retry_after: z.number() }) })

type Checked = Pick<Finding, 'outcome' | 'found' | 'retry'>

function checkMember(outcome: Outcome, reply: Reply | undefined): Checked {
  if ('answer' in outcome) return checkMemberStatus(outcome.answer)
  if ('refused' in outcome) return checkRefusal(reply)
  const afterSeconds =
    z.safeParse(TooMany, parseReply(reply)).data?.parameters.retry_after ?? reply?.retryAfter
  return { outcome: 'could_not_tell', found: foundWithoutAnswer(reply), retry: { afterSeconds } }
}

const INSIDE = new Set(['creator', 'administrator', 'member'])
const OUTSIDE = new Set(['left', 'kicked'])

function checkMemberStatus(answer: unknown): Checked {
  const member = z.safeParse(Member, answer)
  const { status = '', is_member: isMember } = member.data?.result ?? {}
  // The status `restricted` does not say whether someone has left. `is_member` does.
  const isInside = INSIDE.has(status) || (status === 'restricted' && isMember === true)
  const isOutside = OUTSIDE.has(status) || (status === 'restricted' && isMember === false)
  if (isInside) return { outcome: 'confirmed', found: { code: 'telegram_member', status } }
  if (isOutside) return { outcome: 'contradicted', found: { code: 'telegram_gone', status } }
  return { outcome: 'could_not_tell', found: { code: 'unknown_format' }, retry: {} }
}

/**
 * A refusal is always inconclusive. `user not found` only means that the user never interacted with the bot.
 * Any other refusal means that the bot lacks access (`telegram_bot`).
 */
function checkRefusal(reply: Reply | undefined): Checked {
  const { description = '' } = z.safeParse(Refusal, parseReply(reply)).data ?? {}
  const isUnknown = /user not found|participant_id_invalid/i.test(description)
  const found: Found = { code: isUnknown ? 'telegram_unknown' : 'telegram_bot' }
  return { outcome: 'could_not_tell', found, retry: {} }
}

function parseReply(reply: Reply | undefined): unknown {
  try {
    return JSON.parse(reply?.text ?? '')
  } catch {
    return undefined
  }
}
