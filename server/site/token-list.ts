import type { CampaignFile } from '#contract/campaign-file.ts'

/** Not `placeholder`: tag ids have at most ten characters. */
const PLACEHOLDER_TAG = 'madeup'

/**
 * The token list that wallets and exchanges read (https://tokenlists.org). A placeholder is tagged as one. A
 * list with the real address is about a different token, hence its next major version.
 */
export function tokenList({ token, chain, smallPrint }: CampaignFile, publicUrl: string): string {
  const logoURI = `${publicUrl}/icon-512.png`
  return JSON.stringify({
    name: nameOf(token),
    timestamp: `${smallPrint.updatedOn}T00:00:00.000Z`,
    version: { major: token.placeholder ? 0 : 1, minor: 1, patch: 0 },
    logoURI,
    tags: token.placeholder
      ? { [PLACEHOLDER_TAG]: { name: 'Placeholder', description: PLACEHOLDER_WARNING } }
      : {},
    tokens: [
      {
        chainId: chain.id,
        address: token.contract,
        // The longest name that the standard allows.
        name: token.name.slice(0, 60),
        symbol: token.symbol,
        decimals: token.decimals,
        logoURI,
        ...(token.placeholder ? { tags: [PLACEHOLDER_TAG], extensions: { placeholder: true } } : {}),
      },
    ],
  })
}

const PLACEHOLDER_WARNING =
  'This address is a placeholder. There is no token at it, so do not send anything there.'

/** List names are Latin letters, digits, underscores and spaces, at most 30. */
function nameOf({ name, symbol }: CampaignFile['token']): string {
  const plain = (text: string) =>
    text
      .replaceAll(/[^\w ]/g, '')
      .trim()
      .slice(0, 30)
  return plain(name) || plain(symbol) || 'Token'
}
