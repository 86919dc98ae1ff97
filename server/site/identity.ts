import { type CampaignFile, linkFor } from '#contract/campaign-file.ts'
import { ROUTES } from '#web/routes.ts'

/**
 * The official links and contract, for programs and people to compare: a copy of this site cannot serve the
 * file from our origin.
 */
export function identity({ token, chain, links, smallPrint }: CampaignFile, publicUrl: string): string {
  const { name, symbol, contract, placeholder, socials } = token
  const file = {
    name,
    symbol,
    site: publicUrl,
    contract: {
      address: contract,
      chainId: chain.id,
      chain: chain.name,
      placeholder,
      ...(placeholder && {
        note: 'This is a placeholder. There is no token at this address; do not send anything to it.',
      }),
    },
    links: {
      ...socials,
      swap: linkFor(links.swap, contract),
      chart: linkFor(links.chart, contract),
      explorer: chain.explorerUrl,
      tokenList: `${publicUrl}/tokenlist.json`,
      rules: publicUrl + ROUTES.rules.path,
      privacy: publicUrl + ROUTES.privacy.path,
    },
    contact: smallPrint.contact,
    never: 'We never ask for a payment, a private key or recovery words, and we never message you first.',
    updatedOn: smallPrint.updatedOn,
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
