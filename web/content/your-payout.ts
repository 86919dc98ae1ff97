/** The participant’s own share of the payout, on the profile. */
export const YOUR_PAYOUT = {
  title: 'Your payout',
  frozenFor: 'Frozen for wallet',
  check: 'Check your share against the published root',
  transactions: 'Transactions',
  waiting: 'Waiting',
  /** Nobody has looked for payments on the chain yet. */
  notRead: 'Not paid yet, or we haven’t checked the chain yet.',
  missing: 'We haven’t seen a transfer to your wallet on the chain yet.',
  paid: 'Paid',
  paidText: 'The full amount has arrived in your wallet.',
  short: 'Partly paid',
  shortText: (received: string) => `${received} has arrived so far. The rest is still due.`,
  over: 'Overpaid',
  overText: (received: string) =>
    `${received} has arrived, which is more than you were due. You don’t have to send anything back.`,
  unreadable: 'Not visible here',
  unreadableText: (coin: string) =>
    `Plain ${coin} transfers leave no logs on the chain, so this page can’t tell whether yours has arrived. Check your wallet.`,
} as const
