import type { CampaignFile } from '#contract/campaign-file.ts'

/** A tag's name has ten characters at most. */
const MADE_UP = 'madeup'

/**
 * The token as a list that wallets and exchanges read (https://tokenlists.org). A placeholder is tagged as
 * one; the real address that follows it is another token for a list, hence another major version.
 */
export function tokenList({ token, chain, smallPrint }: CampaignFile, publicUrl: string): string {
  const logoURI = `${publicUrl}/icon-512.png`
  return JSON.stringify({
    name: nameOf(token),
    timestamp: `${smallPrint.updatedOn}T00:00:00.000Z`,
    version: { major: token.placeholder ? 0 : 1, minor: 1, patch: 0 },
    logoURI,
    tags: token.placeholder ? { [MADE_UP]: { name: 'Placeholder', description: PLACEHOLDER } } : {},
    tokens: [
      {
        chainId: chain.id,
        address: token.contract,
        name: token.name.slice(0, 60),
        symbol: token.symbol,
        decimals: token.decimals,
        logoURI,
        ...(token.placeholder ? { tags: [MADE_UP], extensions: { placeholder: true } } : {}),
      },
    ],
  })
}

const PLACEHOLDER = 'The address is made up. No token lives there: send nothing to it.'

/** A list's name is Latin letters, digits and spaces, 30 at most. */
function nameOf({ name, symbol }: CampaignFile['token']): string {
  const plain = (text: string) =>
    text
      .replaceAll(/[^\w ]/g, '')
      .trim()
      .slice(0, 30)
  return plain(name) || plain(symbol) || 'Token'
}
