import { ROUTES } from '#web/routes.ts'
import { forAdministrators, letter, type LetterContext, type Template, urlOf } from '../mail/templates.ts'

/**
 * The emails to administrators about changed verdicts on the token. `subject` names the claims. `findings`
 * has a line for each claim with its old and new verdict and the answer. `limits` has a line for each claim
 * with what the answer does not prove. `time` and `block` are of the last check that reached a verdict.
 */
export const proofMails = forAdministrators({
  'proof-proven': verdictMail('proven'),
  'proof-not-so': verdictMail('notSo'),
  'proof-could-not-check': ({ username = '', subject: claims = '', findings = '', time = '' }, context) => {
    const words = context.texts.PROOF_MAILS.couldNotCheck
    return letter(context, username, words.subject({ claims }), [
      ...findings.split('\n'),
      words.last({ time }),
      words.text,
      ...links(context),
    ])
  },
})

function verdictMail(verdict: 'proven' | 'notSo'): Template {
  return ({ username = '', subject: claims = '', ...values }, context) => {
    const words = context.texts.PROOF_MAILS[verdict]
    return letter(context, username, words.subject({ claims }), [
      ...findingLines(values, context),
      words.text,
      ...links(context),
    ])
  }
}

const findingLines = (
  { findings = '', block = '', time = '', limits = '' }: Record<string, string>,
  { campaign, texts }: LetterContext,
) => [
  ...findings.split('\n'),
  texts.PROOF_MAILS.found({ block, chain: campaign.chain.name, time }),
  ...limits.split('\n'),
]

function links(context: LetterContext) {
  const { token, chain } = context.campaign
  const { checks, contract } = context.texts.DASHBOARD_MAIL_LINKS
  return [
    { link: urlOf(context, ROUTES.tokenomics.id), label: checks },
    { link: `${chain.explorerUrl}/address/${token.contract}`, label: contract },
  ]
}
