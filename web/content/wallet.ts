/** Isolates a wallet's own name, so that a right-to-left one does not reorder the sentence. */
export const apart = (name: string) => `\u2068${name}\u2069`

const unknownMethod = (name: string) =>
  `${apart(name)} doesn’t support this. Add it manually with the details on this page.`

/** Texts about wallets on How to Buy. */
export const WALLET = {
  addChain: (chain: string) => `Add ${chain}`,
  addToken: (symbol: string) => `Add ${symbol} to wallet`,
  placeholder: 'There is nothing to add yet: the contract address is a placeholder.',
  here: 'Wallet in this browser',
  choose: 'Which wallet do you want to use?',
  rest: 'Your wallet will ask you to confirm before it changes anything.',
  added: 'Added',
  asking: (name: string) => `${apart(name)} is asking for confirmation. Respond in your wallet.`,
  chainAdded: (name: string, chain: string) => `${apart(name)} is now on ${chain}.`,
  tokenAdded: (name: string, symbol: string) => `${apart(name)} now lists ${symbol}.`,
  noWallet:
    'We couldn’t find a wallet. Install one and reload this page, or open this page in your wallet app’s browser. You can also enter the details on this page manually.',
  /** By the code of the refusal (EIP-1193, EIP-1474). */
  refusals: {
    '4001': (name: string) =>
      `You declined in ${apart(name)}. Press the button again if you change your mind.`,
    '4100': (name: string) => `${apart(name)} is locked. Unlock it and try again.`,
    '4200': unknownMethod,
    '-32601': unknownMethod,
    '-32002': (name: string) =>
      `${apart(name)} is still waiting for your earlier response. Open it and respond there.`,
  } as Record<string, (name: string) => string>,
  failed: (name: string) =>
    `${apart(name)} couldn’t add it. Try again, or add it manually with the details on this page.`,
}
