/** Texts about proving that a wallet is one's own: on the proof step and on the profile. */
export const WALLET_PROOF = {
  title: 'Wallet',
  /** Names the group of the controls for screen readers. */
  group: 'Proof of ownership',
  lead: 'Sign a message with this wallet so that reviewers know it’s yours. Signing is free and sends no transaction.',
  button: 'Prove it’s yours (optional)',
  proven: 'Proven',
  provenWith: (address: string) => `You have signed with ${address}.`,
  otherProven: (address: string) => `You have proven a different wallet: ${address}.`,
  takeProven: 'Use that address',
  remove: 'Remove the proof',
  done: 'Done.',
  failed: 'We couldn’t save your change. Please try again.',
  loadFailed: 'We couldn’t load this part of the page. Please try again.',
} as const
