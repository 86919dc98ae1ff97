/** The participant’s own share of the payout, on the profile. */
export const YOUR_PAYOUT = {
  title: 'Your payout',
  frozenFor: 'Frozen for wallet',
  check: 'Check it against the published root',
  transactions: 'Transactions',
  waiting: 'Waiting',
  /** Nobody has looked for payments on the chain yet. */
  notRead: 'Not paid yet, or not looked for on the chain yet.',
  missing: 'No transfer to your wallet has been seen on the chain yet.',
  paid: 'Paid',
  paidText: 'All of it has arrived at your wallet.',
  short: 'Short',
  shortText: (received: string) => `${received} has arrived so far. The rest is still due.`,
  over: 'Over',
  overText: (received: string) =>
    `${received} has arrived, more than is due. You don’t have to send anything back.`,
  unreadable: 'Not visible here',
  unreadableText: (coin: string) =>
    `Plain ${coin} transfers leave no logs on the chain, so this page can’t tell whether yours has arrived. Look in your wallet.`,
} as const
