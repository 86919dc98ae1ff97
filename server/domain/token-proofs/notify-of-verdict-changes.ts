import type { CampaignFile } from '#contract/campaign-file.ts'
import type { ProofClaim, Verdict } from '#contract/token-proofs/proof.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { CLAIM_NAMES, VERDICT_NAMES } from '#messages/proofs.js'
import { answerOf, limitsOf, utc } from '#web/content/site/proofs.ts'
import { record } from '../journal/record.ts'
import { sendLater } from '../mail/send-later.ts'
import { queueWebhooks } from '../webhooks/queue.ts'
import type { Outcome } from './proof-state.ts'
import { readAdministrators } from '../accounts/roles/administrators.ts'

/** From `before` to `shown`. `concludedAt` is when a check last reached a verdict, in seconds since 1970. */
export type VerdictChange = { claim: ProofClaim; before: Verdict; shown: Outcome; concludedAt: number }

/** Each administrator gets one email about all claims with the same new verdict. */
export async function notifyOfVerdictChanges(
  tx: Tx,
  campaign: CampaignFile,
  changes: readonly VerdictChange[],
): Promise<void> {
  if (changes.length === 0) return
  await record(tx, ...changes.map(entryOf))
  for (const change of changes) await queueWebhooks(tx, 'token.verdict_changed', messageOf(campaign, change))
  const administrators = await readAdministrators(tx)
  const byVerdict = Map.groupBy(changes, ({ shown }) => shown.verdict)
  for (const [verdict, group] of byVerdict)
    for (const { username, email } of administrators)
      await sendLater(tx, {
        template: `proof-${verdict.replaceAll('_', '-')}`,
        to: email,
        values: { ...valuesOf(campaign, group), username },
      })
}

const messageOf = ({ id, token }: CampaignFile, { claim, before, shown }: VerdictChange) => ({
  campaign: id,
  contract: token.contract,
  claim,
  before,
  verdict: shown.verdict,
  reason: shown.reason.code,
  block: shown.block,
})

const entryOf = ({ claim, before, shown }: VerdictChange) => ({
  actor: null,
  action: 'proof.changed' as const,
  before: { claim, verdict: before },
  after: { claim, verdict: shown.verdict, reason: shown.reason.code, block: shown.block },
})

function valuesOf(campaign: CampaignFile, changes: readonly VerdictChange[]): Record<string, string> {
  const names = changes.map(({ claim }) => CLAIM_NAMES[claim])
  const { symbol } = campaign.token
  const joinLines = (toLine: (change: VerdictChange) => string) =>
    [...new Set(changes.map(toLine))].join('\n')
  return {
    subject: names.length === 1 ? `${symbol}, ${names[0]}` : `${symbol}, ${names.length} claims`,
    findings: joinLines(({ claim, before, shown: { verdict, reason } }) => {
      const change = `“${VERDICT_NAMES[before]}” is now “${VERDICT_NAMES[verdict]}”`
      return `${CLAIM_NAMES[claim]}: ${change}. ${answerOf(reason, campaign)}`
    }),
    limits: joinLines(({ claim, shown }) => `${CLAIM_NAMES[claim]}: ${limitsOf(claim, shown.reason)}`),
    block: Math.max(...changes.map(({ shown }) => shown.block ?? 0)).toLocaleString('en'),
    time: utc(Math.max(...changes.map(({ concludedAt }) => concludedAt))),
  }
}
