/** `name` is a wallet's own word for itself, in whatever script: it must not turn the sentence around. */
const apart = (name: string) => `\u2068${name}\u2069`

const unknownMethod = (name: string) =>
  `${apart(name)} cannot be asked for this. Add it by hand with the details on this page.`

/** The words about wallets on the page that tells how to buy. */
export const WALLET = {
  addChain: (chain: string) => `Add ${chain}`,
  addToken: (symbol: string) => `Add ${symbol} to wallet`,
  placeholder: 'There is nothing to add yet: the contract address is a placeholder.',
  here: 'Wallet in this browser',
  choose: 'Which wallet should be asked?',
  rest: 'Your wallet asks you before it changes anything.',
  added: 'Added',
  asking: (name: string) => `${apart(name)} has a question for you. Answer it there.`,
  chainAdded: (name: string, chain: string) => `${apart(name)} is on ${chain}.`,
  tokenAdded: (name: string, symbol: string) => `${apart(name)} lists ${symbol}.`,
  noWallet:
    'No wallet was found. Install one and reload this page, or open this page in the browser inside your wallet’s app. The details on this page also work by hand.',
  /** By the code of the refusal (EIP-1193, EIP-1474). */
  refusals: {
    '4001': (name: string) => `You said no in ${apart(name)}. Press again if you change your mind.`,
    '4100': (name: string) => `${apart(name)} is locked. Unlock it and press again.`,
    '4200': unknownMethod,
    '-32601': unknownMethod,
    '-32002': (name: string) => `${apart(name)} still waits for an earlier answer. Open it and answer there.`,
  } as Record<string, (name: string) => string>,
  failed: (name: string) =>
    `${apart(name)} could not do it. Press again, or add it by hand with the details on this page.`,
}
