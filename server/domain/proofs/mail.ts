import { ROUTES } from '#web/routes.ts'
import { letter, type MailContext, type Template } from '../mail/templates.ts'

/**
 * The emails to administrators about changed verdicts on the token. `subject` names the claims; `findings` has a line
 * for each: its verdicts of before and now, and what the chain answered, at `time` in `block`. `limits`: lines as well.
 */
export const proofMails: Record<string, Template> = {
  'proof-proven': ({ username = '', subject, ...values }, context) =>
    letter(context, username, `${subject}: proven by the chain`, [
      ...found(values, context),
      'Texts on the site that state this now carry the Verified stamp.',
      ...links(context),
    ]),

  'proof-not-so': ({ username = '', subject, ...values }, context) =>
    letter(context, username, `${subject}: the chain says otherwise`, [
      ...found(values, context),
      'Texts on the site that state this no longer carry the Verified stamp, and visitors see the chain’s answer. If the answer is right, change the texts in the campaign file. If you think it’s wrong, check the contract yourself, and the node set in CHAIN_RPC_URL.',
      ...links(context),
    ]),

  'proof-could-not-check': ({ username = '', subject, findings = '', time }, context) =>
    letter(context, username, `${subject}: could not be checked for an hour`, [
      ...findings.split('\n'),
      `The last check that reached a verdict was on ${time}.`,
      'Texts on the site that state this no longer carry the Verified stamp. Check the node set in CHAIN_RPC_URL, and the server’s log.',
      ...links(context),
    ]),
}

const found = ({ findings = '', block, time, limits = '' }: Record<string, string>, context: MailContext) => [
  ...findings.split('\n'),
  `Read from block ${block} of ${context.campaign.chain.name} on ${time}.`,
  ...limits.split('\n'),
]

const links = ({ campaign: { token, chain }, publicUrl }: MailContext) => [
  { link: `${publicUrl}${ROUTES.tokenomics.path}`, label: 'See all checks' },
  { link: `${chain.explorerUrl}/address/${token.contract}`, label: 'Look at the contract' },
]
