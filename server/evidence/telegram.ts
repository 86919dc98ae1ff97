import * as z from 'zod/mini'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { HttpClient, Outcome, Reply } from '../platform/http-client.ts'
import { copyOfReply, couldNotTell, type Finding, type Source, type Subject } from './finding.ts'
import { sameHandle, FINDING_WORDS } from './words.ts'

const NAME = 'Telegram Bot API'
const CHECKS = ['telegram'] as const

export type TelegramAt = {
  telegramApiUrl: string
  telegramBotToken: string | undefined
  /** Set where participants can connect their account. */
  telegramClientId: string | undefined
}

/**
 * Membership of the campaign's group, where a bot is set up and the participant's number at Telegram is
 * known: a handle alone cannot be looked up. Where accounts can be connected, also whose the handle is.
 */
export function telegramSource(outbound: HttpClient, at: TelegramAt, campaign: CampaignFile): Source {
  const group = groupOf(campaign)
  const offersLogin = at.telegramClientId !== undefined
  return {
    name: NAME,
    checks: offersLogin ? [...CHECKS, 'telegram-handle'] : CHECKS,
    async look(claim) {
      const membership = await lookForMember(outbound, at, { group, userId: claim.telegram_id })
      return { findings: offersLogin ? [...membership, judgeHandle(claim)] : membership }
    },
  }
}

async function lookForMember(
  outbound: HttpClient,
  { telegramApiUrl, telegramBotToken }: TelegramAt,
  { group, userId }: { group: string | undefined; userId: number | null },
): Promise<Finding[]> {
  const missing = !telegramBotToken
    ? FINDING_WORDS.noBot
    : !group
      ? FINDING_WORDS.noGroup
      : userId === null
        ? FINDING_WORDS.noTelegramId
        : undefined
  if (missing) return couldNotTell({ name: NAME, checks: CHECKS }, missing)
  const address = `${telegramApiUrl.replace(/\/+$/, '')}/bot${telegramBotToken}/getChatMember`
  const body = { chat_id: group, user_id: userId }
  const { outcome, reply } = await outbound.requestWithReply(address, { method: 'POST', body })
  return [{ check: 'telegram', source: NAME, seen: copyOfReply(reply), ...judgeMember(outcome, reply) }]
}

/** Pure: whether the account that was connected goes by the name in the form. */
export function judgeHandle({
  telegram: claimed,
  telegram_id: id,
  telegram_name: name,
}: Pick<Subject, 'telegram' | 'telegram_id' | 'telegram_name'>): Finding {
  const source = 'Telegram login'
  const check = 'telegram-handle'
  if (id === null || name === null) {
    const detail = id === null ? FINDING_WORDS.telegramNotTheirs : FINDING_WORDS.telegramNoName
    return { check, outcome: 'could_not_tell', detail, source }
  }
  const outcome = sameHandle(name, claimed) ? 'confirmed' : 'contradicted'
  return { check, outcome, detail: FINDING_WORDS.telegramHandle(name, claimed), source }
}

/** `@name` of the first task that leads to a public group of Telegram; an invitation names none. */
export function groupOf({ airdrop }: CampaignFile): string | undefined {
  for (const { url } of airdrop.tasks) {
    const name = /^https:\/\/(?:t|telegram)\.me\/([A-Za-z][A-Za-z0-9_]{3,31})\/?$/.exec(url)?.[1]
    if (name) return `@${name}`
  }
  return undefined
}

const Member = z.object({
  ok: z.literal(true),
  result: z.object({ status: z.string(), is_member: z.optional(z.boolean()) }),
})
const Refusal = z.object({ description: z.string() })
const TooMany = z.object({ parameters: z.object({ retry_after: z.number() }) })

type Judged = Pick<Finding, 'outcome' | 'detail' | 'again'>

function judgeMember(outcome: Outcome, reply: Reply | undefined): Judged {
  if ('answer' in outcome) return judgeStatus(outcome.answer)
  if ('refused' in outcome) return judgeRefusal(reply)
  const after = z.safeParse(TooMany, parsed(reply)).data?.parameters.retry_after ?? reply?.retryAfter
  return { outcome: 'could_not_tell', detail: FINDING_WORDS.unclear(outcome.unclear), again: { after } }
}

const INSIDE = new Set(['creator', 'administrator', 'member'])
const OUTSIDE = new Set(['left', 'kicked'])

function judgeStatus(answer: unknown): Judged {
  const member = z.safeParse(Member, answer)
  const { status = '', is_member: isMember } = member.data?.result ?? {}
  // Restricted people may have left: only the flag tells.
  const isInside = INSIDE.has(status) || (status === 'restricted' && isMember === true)
  const isOutside = OUTSIDE.has(status) || (status === 'restricted' && isMember === false)
  if (isInside) return { outcome: 'confirmed', detail: FINDING_WORDS.telegramMember(status) }
  if (isOutside) return { outcome: 'contradicted', detail: FINDING_WORDS.telegramGone(status) }
  return { outcome: 'could_not_tell', detail: FINDING_WORDS.unclear('a shape that is not known'), again: {} }
}

/** `user not found` only means that the person never met the bot. */
function judgeRefusal(reply: Reply | undefined): Judged {
  const { description = '' } = z.safeParse(Refusal, parsed(reply)).data ?? {}
  const isUnknown = /user not found|participant_id_invalid/i.test(description)
  const detail = isUnknown ? FINDING_WORDS.telegramUnknown : FINDING_WORDS.telegramBot
  return { outcome: 'could_not_tell', detail, again: {} }
}

function parsed(reply: Reply | undefined): unknown {
  try {
    return JSON.parse(reply?.text ?? '')
  } catch {
    return undefined
  }
}
